// Orders on the board: tap a unit, see where it can go, tap the way; the line appears in the sheet next to it.
import { goTo, idOf, isLow, mark, onChoose, placeOf, stand } from "./board.js";
import { onWay } from "./orders/drag.js";
import { dim, drawPlan, shade } from "./orders/drawing.js";
import { button, group, list, paragraph } from "./orders/parts.js";
import { post } from "./orders/server.js";
import * as sheet from "./orders/sheet.js";
import { SIDE, answer, ofUnit, text } from "./orders/sheet.js";
import * as shown from "./orders/units.js";
import { labelOf, unitsAt, where } from "./orders/units.js";

const menu = document.querySelector("#menu");
const said = document.querySelector("#said");
const addresses = menu.dataset;

// One after the other, so that a second tap finds what the first one has done.
let turn = Promise.resolve();
let turns = 0;

function inTurn(act) {
  busy(1);
  turn = turn
    .then(act)
    .catch((trouble) => say(trouble.message, "message error"))
    .finally(() => busy(-1));
}

function busy(more) {
  turns += more;
  menu.setAttribute("aria-busy", String(turns > 0));
}

// --- what the side may add --------------------------------------------------------------------------------------------

const NOTHING = { ways: [], lines: [] };
let selected = null;
let offered = NOTHING;
let fresh = []; // ways as if the unit had no orders yet
let aim = null; // the verb whose place is to be chosen
let cameFrom = null; // the button that the unit was chosen with

const ask = (written, unit, instead) =>
  post(
    addresses.choices,
    { text: written, unit: unit || null, instead },
    sheet.form.elements.csrfmiddlewaretoken.value,
  );

async function select(unit, { go = false, from = null } = {}) {
  selected = unit;
  cameFrom = from;
  forget();
  const place = placeOf(where(unit) ?? "");
  if (place) {
    menu.classList.toggle("above", isLow(place));
    stand(place);
    goTo(place, { middle: go });
  }
  mark(place ?? null);
  await refresh();
  menu.scrollIntoView({ block: "nearest" }); // on a phone it is below the map
  if (from) menu.querySelector("h2")?.focus({ preventScroll: true });
}

function forget() {
  aim = null;
  offered = NOTHING;
  fresh = [];
  shadeChoices();
}

// Ask again what the selected unit may do, once the sheet has been read.
async function refresh() {
  await sheet.read();
  if (selected === null) return showMenu();
  forget();
  const again = selected !== SIDE && ofUnit(selected).length > 0;
  const asked = [ask(text.value, selected, false), again ? ask(text.value, selected, true) : null];
  const [now, other] = await Promise.all(asked);
  offered = now;
  fresh = other ? other.ways : [];
  shadeChoices();
  showMenu();
}

function leave() {
  selected = null;
  forget();
  mark(null);
  showMenu();
  cameFrom?.focus();
  cameFrom = null;
}

const end = (way) => way.path[way.path.length - 1];

// All that a tap on a place may mean for the selected unit. Going on comes before going elsewhere.
function meanings(place) {
  if (aim) return offered.lines.filter((each) => each.verb === aim && each.place === place);
  const onward = offered.ways.filter((way) => end(way) === place);
  const instead = onward.length ? [] : fresh.filter((way) => end(way) === place);
  const ways = asMeanings([...onward, ...instead]);
  return ways.length ? ways : offered.lines.filter((each) => each.by_tap && each.place === place);
}

const asMeanings = (ways) => ways.map((way) => ({ ...way, verb: verbOf(way), isWay: true }));
const verbOf = (way) => way.line.split(" ")[0];

const isOffered = ({ line }) => [...offered.lines, ...offered.ways, ...fresh].some((each) => each.line === line);

const numbersOf = (verb) => ofUnit(selected).flatMap((line) => (line.verb === verb ? [line.number] : []));

// Nothing is added if the menu was left, or a tap before this one has added it and it cannot come twice.
async function add(meaning) {
  await sheet.read();
  if (!isOffered(meaning)) return;
  const replaced = meaning.isWay ? numbersOf(meaning.verb) : [];
  sheet.edit(sheet.withLine(text.value, meaning.line, replaced).text);
  await refresh();
}

onChoose((place) =>
  inTurn(async () => {
    const id = idOf(place);
    const found = selected === null ? [] : meanings(id);
    if (found.length === 1) return add(found[0]);
    if (found.length > 1) return showMenu(found, `${id}: which order?`);
    const here = unitsAt(id);
    if (!here.length) return leave();
    return select(here[(here.indexOf(selected) + 1) % here.length]);
  }),
);

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && selected !== null && !event.target.closest?.("#guide")) leave(); // there it leaves the guide
});

// --- a way of one's own -----------------------------------------------------------------------------------------------

const plannedEnd = () =>
  ofUnit(selected)
    .findLast((line) => !line.ignored && line.path.length)
    ?.path.at(-1);

onWay(
  (place) => Boolean(selected) && (place === where(selected) || place === plannedEnd()),
  (from, along) => inTurn(() => goAlong(from, along)),
);

// The line that leads a unit from place to place, one after the other; in place of an earlier one, if it starts anew.
async function goAlong(from, along) {
  await sheet.read();
  let written = text.value;
  let replaced = null;
  let stopped = "";
  const starts = from === where(selected) && from !== plannedEnd();
  for (const place of along) {
    const { ways } = await ask(written, selected, starts && replaced === null);
    // a way that goes round is another than the one that was drawn
    const way = ways.find((each) => end(each) === place && each.path.length === 1);
    if (!way) stopped = place;
    if (!way) break;
    const line = sheet.withLine(written, way.line, replaced ?? numbersOf(verbOf(way)));
    written = line.text;
    replaced = [line.number];
  }
  sheet.edit(written);
  await refresh();
  if (stopped) said.textContent = `${labelOf(selected)} cannot go straight on to ${stopped}, as far as you know.`;
  if (stopped) menu.append(paragraph(said.textContent, "bad"));
}

// --- the menu ---------------------------------------------------------------------------------------------------------

// A sentence in place of the menu.
function say(words, kind) {
  menu.replaceChildren(paragraph(words, kind), button("Done", leave, "quiet"));
  said.textContent = words;
}

const FEW = 4;

const choose = (title, found) => list(title, found, optionOf, (meaning) => inTurn(() => add(meaning)));
const optionOf = (each) => (each.isWay ? `${end(each)}: ${each.cost} of ${each.allowance}` : restOf(each) || each.verb);

// A line without its verb and the unit's name, which the menu says already.
function restOf(each) {
  const label = selected && labelOf(selected);
  const rest = each.line.slice(each.verb.length).trim();
  return label && rest.startsWith(label) ? rest.slice(label.length).trim() : rest;
}

function showMenu(found = null, title = "") {
  const hadFocus = menu.contains(document.activeElement);
  if (selected === null) {
    menu.replaceChildren();
    said.textContent = "";
    return;
  }
  const head = document.createElement("h2");
  head.tabIndex = -1;
  head.textContent = title || (selected === SIDE ? "Orders for the side" : labelOf(selected));
  menu.replaceChildren(head, ...(found ? [buttonsFor("", found)] : parts()), button("Done", leave, "quiet"));
  if (hadFocus) head.focus({ preventScroll: true });
  const places = offered.ways.length || fresh.length;
  said.textContent = places ? `${head.textContent} can go to ${places} ${addresses.places}.` : head.textContent;
}

function parts() {
  const written = ofUnit(selected).map((line) => {
    const row = sheet.rowOf(line);
    const remove = button("Remove", () => inTurn(() => removeRow(row)));
    return group(row, line.wrong ? [remove, paragraph(line.wrong, "bad")] : [remove]);
  });
  const ways = asMeanings(offered.ways.length ? offered.ways : fresh);
  const going = ways.length
    ? [group(`${ways[0].verb}: tap a shaded ${addresses.place}, or`, choose("Where to", ways))]
    : [];
  const others = [...byVerb(offered.lines)].map(([verb, some]) => choiceOf(verb, some));
  const all = [...written, ...going, ...others];
  return all.length ? all : [paragraph("There is nothing to order here in this phase.")];
}

async function removeRow(row) {
  await sheet.read(); // it may stand on another line by now
  const line = ofUnit(selected).find((each) => sheet.rowOf(each) === row);
  if (line) sheet.edit(sheet.withoutLine(line.number));
  await refresh();
}

function byVerb(found) {
  const groups = new Map();
  for (const each of found) groups.set(each.verb, [...(groups.get(each.verb) ?? []), each]);
  return groups;
}

const buttonsFor = (verb, some) =>
  group(
    "",
    some.map((each) => button(verb ? `${verb} ${restOf(each)}`.trim() : each.line, () => inTurn(() => add(each)))),
  );

function choiceOf(verb, some) {
  if (some.length <= FEW) return buttonsFor(verb, some);
  const choosing = choose(verb, some);
  if (some.every((each) => each.place)) {
    choosing.unshift(
      button("on the map", () => {
        aim = verb;
        shadeChoices();
      }),
    );
  }
  return group(verb, choosing);
}

function shadeChoices() {
  const places = new Map();
  if (aim) for (const each of offered.lines) if (each.verb === aim) places.set(each.place, "");
  if (!aim && selected !== null) {
    for (const way of fresh) places.set(end(way), "instead");
    for (const way of offered.ways) places.set(end(way), String(way.cost));
    for (const { by_tap, place } of offered.lines)
      if (by_tap && place && !places.has(place)) places.set(place, "target");
  }
  shade(places);
}

// --- the units, and what the sheet costs ------------------------------------------------------------------------------

const fromList = (unit) => inTurn(() => select(unit, { go: true, from: shown.buttonOf(unit) }));

function showReading() {
  const gauges = answer.querySelector(".gauges");
  document.querySelector("#meters").replaceChildren(...(gauges ? [gauges.cloneNode(true)] : []));
  showSheet();
  if (!turns) showMenu();
}

function showSheet() {
  drawPlan();
  shown.showUnits(fromList);
  dim(shown.leftOut());
}

sheet.onRead(showReading);

// The server says who can move only if somebody wants to know.
document.body.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.elt === text && shown.asksMovers()) detail.parameters.movers = "on";
});

shown.makeList(fromList, (again) => (again ? inTurn(sheet.readAgain) : showSheet()));

document.querySelector("#next-unit").addEventListener("click", () =>
  inTurn(async () => {
    await sheet.read();
    const left = shown.idle();
    if (left.length) await select(left[(left.indexOf(selected) + 1) % left.length], { go: true });
  }),
);

document.querySelector("#side-orders").addEventListener("click", () => inTurn(() => select(SIDE)));
document.addEventListener("selectionchange", () => document.activeElement === text && drawPlan());
text.addEventListener("blur", drawPlan);

// --- tabs on a phone --------------------------------------------------------------------------------------------------

const desk = document.querySelector(".desk");
const tabs = document.querySelectorAll("[data-shows]");

function showTab(name) {
  desk.dataset.shown = name;
  for (const each of tabs) each.setAttribute("aria-pressed", String(each.dataset.shows === name));
}

for (const tab of tabs)
  tab.addEventListener("click", () => {
    showTab(tab.dataset.shows);
    tab.scrollIntoView({ block: "start" });
  });

for (const hidden of document.querySelectorAll(".desk-tools, .desk-tabs, .desk .keys")) hidden.hidden = false;
// A sheet to read comes first: a draft, what was submitted, the briefing's first sheet, or a text that was refused.
showTab(text.value.trim() || document.querySelector("#first, #page .message.error") ? "sheet" : "map");
sheet.withHistory(() => inTurn(refresh));
showReading();
