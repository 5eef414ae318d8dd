// The sheet: its text, its lines as the server last read them, undo and redo.
import { isElsewhere, troubleOf } from "./server.js";

export const form = document.querySelector("#sheet");
export const text = form.querySelector("#text");
export const answer = document.querySelector("#answer");

export const SIDE = ""; // in place of a unit: orders that name none
export const listed = (ids) => ids.split("|").filter(Boolean); // "KG 12 SS" is one id

// --- as the server read it --------------------------------------------------------------------------------------------

let readText = text.value; // the text that these lines belong to
let waiting = []; // those who wait until the server has read the present text
let afterwards = () => {};
export let lines = readLines();

// What happens whenever the server has read the text.
export function onRead(act) {
  afterwards = act;
}

function readLines() {
  const wrong = new Map();
  for (const each of answer.querySelectorAll("li.error[data-line]"))
    wrong.set(Number(each.dataset.line), [...each.querySelectorAll("strong, .hint")].map(wordsOf).join(". "));
  return [...answer.querySelectorAll("[data-verb]")].map(({ dataset }) => ({
    number: Number(dataset.line),
    verb: dataset.verb,
    units: listed(dataset.units),
    path: listed(dataset.path),
    arrow: dataset.arrow,
    ignored: dataset.ignored === "true",
    wrong: wrong.get(Number(dataset.line)) ?? "",
  }));
}

function wordsOf(element) {
  return element.textContent.trim().replace(/\s+/g, " ");
}

// Wait until the lines belong to the text; the server reads it at once.
export async function read() {
  if (readText === text.value) return;
  const done = new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  text.dispatchEvent(new CustomEvent("drawn"));
  await done;
  await read(); // somebody may have typed meanwhile
}

// Have the same text read again, as more is asked of it.
export function readAgain() {
  readText = null;
  return read();
}

function wake(how, words = "") {
  const woken = waiting;
  waiting = [];
  for (const each of woken) each[how](new Error(words));
}

document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.elt !== answer || !isElsewhere(detail.pathInfo.requestPath, detail.xhr.responseURL)) return;
  detail.shouldSwap = false;
  wake("reject", troubleOf(401));
});

document.body.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.target !== answer) return;
  if (!answer.querySelector("[data-read]")) return wake("reject", wordsOf(answer)); // what was read before stays
  readText = detail.requestConfig.formData.get("text");
  lines = readLines();
  afterwards();
  wake("resolve");
});

for (const trouble of ["htmx:sendError", "htmx:responseError", "htmx:timeout"])
  document.body.addEventListener(trouble, ({ detail }) => {
    if (detail.elt === text) wake("reject", troubleOf(detail.xhr.status));
  });

// --- lines ------------------------------------------------------------------------------------------------------------

const CLOSING = /^\s*(READY|ALL OTHERS HOLD)?\s*(#.*)?$/i;

export const ofUnit = (unit) =>
  lines.filter((line) => (unit === SIDE ? !line.units.length : line.units.includes(unit)));

// In the text that was read: the lines belong to it, whatever has been typed since.
export const rowOf = (line) => (readText?.split("\n")[line.number - 1] ?? "").trim();

const commentOf = (row) => row.match(/\s*#.*$/)?.[0] ?? "";

// What is left of a row without its order: the comment, as a line of its own.
const restOf = (row) => [commentOf(row).trim()].filter(Boolean);

// A text with a line added, and its number; in place of some others, if they are named. Their comments stay.
export function withLine(before, line, replaced = []) {
  const rows = before.split("\n");
  if (replaced.length) {
    rows[replaced[0] - 1] = line + commentOf(rows[replaced[0] - 1]);
    for (const number of replaced.slice(1).reverse()) rows.splice(number - 1, 1, ...restOf(rows[number - 1]));
    return { text: rows.join("\n"), number: replaced[0] };
  }
  let at = rows.length;
  while (at && CLOSING.test(rows[at - 1])) at -= 1;
  rows.splice(at, 0, line);
  return { text: rows.join("\n"), number: at + 1 };
}

export function withoutLine(number) {
  const rows = text.value.split("\n");
  rows.splice(number - 1, 1, ...restOf(rows[number - 1]));
  return rows.join("\n");
}

export const lineUnderCursor = () =>
  document.activeElement === text ? text.value.slice(0, text.selectionStart).split("\n").length : 0;

// --- undo and redo, of what was tapped and of what was typed ----------------------------------------------------------

const before = [];
const after = [];
const undo = document.querySelector("#undo");
const redo = document.querySelector("#redo");
let stored = text.value;
let typedAt = 0;
const ONE_GO = 1000; // milliseconds between letters that are undone together

function changeText(next) {
  text.value = stored = next;
  typedAt = 0;
  text.dispatchEvent(new Event("input", { bubbles: true }));
}

export function edit(next) {
  if (next === text.value) return;
  before.push(text.value);
  after.length = 0;
  changeText(next);
  showHistory();
}

text.addEventListener("input", () => {
  if (text.value === stored) return;
  if (Date.now() - typedAt > ONE_GO) {
    before.push(stored);
    after.length = 0;
    showHistory();
  }
  typedAt = Date.now();
  stored = text.value;
});

// Undo and redo, with what comes after either.
export function withHistory(then) {
  const step = (from, to) => {
    if (!from.length) return;
    to.push(text.value);
    changeText(from.pop());
    showHistory();
    then();
  };
  undo.addEventListener("click", () => step(before, after));
  redo.addEventListener("click", () => step(after, before));
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || !event.target.closest(".on-map")) return;
    if (event.key === "z" && !event.shiftKey) step(before, after);
    else if (event.key === "y" || (event.key === "Z" && event.shiftKey)) step(after, before);
    else return;
    event.preventDefault();
  });
  showHistory();
}

// A button that has nothing to do keeps the focus.
export const enable = (made, able) => made.setAttribute("aria-disabled", String(!able));

function showHistory() {
  enable(undo, before.length);
  enable(redo, after.length);
}
