// Forms next to a text: what is filled in becomes lines of the text at once, and lines that are typed fill the forms.
// The server writes and reads the lines; this only carries text and forms to it and back.
const section = document.querySelector("#order-forms");

import { isElsewhere, troubleOf } from "./orders/server.js";

const TYPING = 400; // milliseconds after the last digit or letter
const TOO_FAST =
  "Too many requests within a minute. What you filled in last is not in the text yet. Try again in a minute.";
const UNREACHED = "The server did not answer. What you filled in is not in the text yet. Try again.";

function start() {
  const { address, form: formId, into } = section.dataset;
  const form = document.getElementById(formId);
  const text = document.getElementById(into);
  const due = new Map(); // the forms that were changed, each with its timer; "" only reads the text
  let turn = Promise.resolve();
  let waiting = 0; // changes under way to the text
  let failed = false;
  let settled = false;
  let writing = false;
  section.classList.add("at-once");

  // One after the other, so that each finds in the text what the one before has put there.
  function after(key, delay) {
    clearTimeout(due.get(key));
    const timer = setTimeout(() => {
      turn = turn.then(() => ask(key, timer)).catch(() => say(UNREACHED));
    }, delay);
    due.set(key, timer);
  }

  async function ask(key, timer) {
    if (key) waiting += 1;
    try {
      await exchange(key, timer);
    } catch (error) {
      failed = true;
      throw error;
    } finally {
      if (key) waiting -= 1;
    }
  }

  // Fields that are in the text already are not sent with it.
  function take(done) {
    for (const was of section.querySelectorAll("input[type=hidden]")) was.disabled = done && !failed;
  }

  async function exchange(key, timer) {
    const sent = text.value;
    const body = new FormData(form);
    if (due.get(key) === timer) due.delete(key); // what was changed is on its way, so the forms may be shown again
    if (key) body.set("fill", key);
    const response = await fetch(address, { method: "POST", body, credentials: "same-origin" });
    if (response.redirected && isElsewhere(address, response.url)) return say(troubleOf(401));
    if (!response.ok) return say(response.status === 429 ? TOO_FAST : troubleOf(response.status));
    const answer = await response.json();
    if (text.value !== sent) return exchange(key, timer); // somebody has typed meanwhile
    failed = false;
    if (answer.text !== sent) write(answer.text);
    section.classList.add("at-once");
    const read = new DOMParser().parseFromString(answer.forms, "text/html").body;
    if (due.size) remember(read);
    else show(read);
  }

  function write(changed) {
    writing = true;
    text.value = changed;
    text.dispatchEvent(new Event("input", { bubbles: true }));
    writing = false;
  }

  // While digits are typed, only what is computed from them changes, and the lines that the forms belong to.
  function show(read) {
    const focus = section.contains(document.activeElement) ? document.activeElement : null;
    if (focus?.type === "number") return refresh(read);
    const open = [...section.querySelectorAll("details[open]")].map(({ id }) => id);
    section.replaceChildren(...read.childNodes);
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    if (focus?.id) document.getElementById(focus.id)?.focus({ preventScroll: true });
  }

  // The lines that the forms belong to, so that the next change is seen as one of them.
  function remember(read) {
    for (const was of section.querySelectorAll("input[type=hidden]"))
      was.value = read.querySelector(`[name="${was.name}"]`)?.value ?? was.value;
  }

  function refresh(read) {
    remember(read);
    for (const old of section.querySelectorAll(":scope > .message")) old.remove();
    section.prepend(...read.querySelectorAll(":scope > .message"));
    for (const live of section.querySelectorAll("[data-live]")) {
      const words = read.querySelector(`[id="${live.id}"]`)?.textContent ?? live.textContent;
      if (words !== live.textContent) live.textContent = words;
    }
  }

  function say(words) {
    const said = document.createElement("p");
    said.className = "message error";
    said.setAttribute("role", "alert");
    said.textContent = words;
    section.querySelector(":scope > .message")?.remove();
    section.prepend(said);
    section.classList.remove("at-once"); // the buttons try again
    failed = true;
  }

  const changed = ({ target, type }) => {
    const key = target.closest("[data-form-key]")?.dataset.formKey;
    if (target.validity?.badInput) return; // half a number: its line stays as it is
    if (key) after(key, type === "input" && target.type === "number" ? TYPING : 0);
  };
  section.addEventListener("input", changed);
  section.addEventListener("change", changed);
  section.addEventListener("focusout", ({ relatedTarget }) => {
    if (!section.contains(relatedTarget)) after("", TYPING);
  });
  section.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=fill]");
    if (!button) return;
    event.preventDefault(); // it has been put there already, or is now
    after(button.value, 0);
  });
  // Enter in a field puts it into the text. It would press the first button of the page, which may be any.
  section.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.localName !== "input") return;
    event.preventDefault();
    changed({ target: event.target, type: "change" });
  });
  // What was filled in goes into the text before the text is sent. If it cannot, the server does it.
  form.addEventListener("submit", (event) => {
    if (settled) return take(true);
    clearTimeout(due.get("")); // it would only read the text
    due.delete("");
    if (!waiting && !due.size) return take(true);
    event.preventDefault();
    for (const [key, timer] of due) {
      clearTimeout(timer);
      turn = turn.then(() => ask(key, timer)).catch(() => say(UNREACHED));
    }
    turn.then(() => {
      settled = true;
      form.requestSubmit(event.submitter);
      settled = false;
    });
  });
  window.addEventListener("pageshow", () => take(false));
  text.addEventListener("input", () => writing || after("", 2 * TYPING));
}

if (section) start();
