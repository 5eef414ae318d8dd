// The side's units: those that are on the map, the others, the list of all, and which of them are shown.
import { placeOf } from "../board.js";
import { button } from "./parts.js";
import { answer, enable, lines, listed, rowOf } from "./sheet.js";

const items = [...document.querySelectorAll("#units [data-unit]")];
const next = document.querySelector("#next-unit");
const offMap = document.querySelector(".off-map");
const filters = document.querySelector(".filters");
const count = document.querySelector("#shown-units");

export const units = new Map(items.map(({ dataset }) => [dataset.unit, dataset]));

// A unit is tapped where its counter is drawn: where it stood when the phase began.
export const where = (unit) => units.get(unit)?.at;
export const labelOf = (unit) => units.get(unit)?.label ?? unit;
export const unitsAt = (place) => [...units.keys()].filter((unit) => where(unit) === place);

// Those without orders, among those that the filters show.
export const idle = () => allIdle().filter(matches);
const allIdle = () => [...answer.querySelectorAll("[data-idle]")].flatMap(({ dataset }) => listed(dataset.idle));

// --- filters ----------------------------------------------------------------------------------------------------------

export const asksMovers = () => filters.elements.movers.checked;
const movers = () => listed(answer.querySelector("[data-movers]")?.dataset.movers ?? "");

function matches(unit) {
  const { formation, desk, idle: without } = filters.elements;
  const own = units.get(unit);
  if (!own) return false;
  if (formation.value && !listed(own.formations).includes(formation.value)) return false;
  if (desk && desk.value !== "" && own.desk !== desk.value) return false;
  if (without.checked && !allIdle().includes(unit)) return false;
  return !asksMovers() || movers().includes(unit);
}

const isFiltered = () =>
  [...filters.elements].some((field) => (field.type === "checkbox" ? field.checked : field.value));

// Places that hold units of the side, none of which the filters show.
export function leftOut() {
  if (!isFiltered()) return [];
  const held = new Map();
  for (const [unit, { at }] of units) if (at) held.set(at, held.get(at) || matches(unit));
  return [...held].filter(([, shown]) => !shown).map(([at]) => at);
}

// --- the lists --------------------------------------------------------------------------------------------------------

// Each unit becomes a button, with its place and what the sheet orders.
export function makeList(choose, filtered) {
  for (const item of items) {
    const rest = document.createElement("span");
    rest.className = "muted";
    item.replaceChildren(
      button(item.dataset.label, () => choose(item.dataset.unit)),
      rest,
    );
  }
  filters.hidden = false;
  filters.addEventListener("input", ({ target }) => filtered(target.name === "movers" && target.checked));
}

// The button of a unit in the list, to come back to from its menu.
export const buttonOf = (unit) => items.find(({ dataset }) => dataset.unit === unit)?.querySelector("button");

export function showUnits(choose) {
  enable(next, idle().length);
  const relevant = matter();
  let shown = 0;
  for (const item of items) {
    const { unit, at } = item.dataset;
    const rows = lines.filter((line) => line.units.includes(unit));
    const orders = rows.map((line) => (line.ignored ? `${rowOf(line)} (ignored)` : rowOf(line))).join("; ");
    item.querySelector("span").textContent = `${at || "not on the map"}: ${orders || "no orders"}`;
    item.hidden = !relevant.has(unit) || !matches(unit);
    shown += !item.hidden;
  }
  count.textContent = `${shown} of ${relevant.size} units shown`;
  showOffMap(relevant, choose);
}

// Units on the map, those that can enter it, and others that are named by the sheet or by how it is read: the task
// forces that it makes, for instance.
function matter() {
  const named = new Set([...allIdle(), ...lines.flatMap((line) => line.units)]);
  const said = [...answer.querySelectorAll(".understood li")].map((line) => line.textContent);
  const matters = ([unit, { at, enters, label }]) =>
    placeOf(at) || enters || named.has(unit) || said.some((words) => words.includes(label));
  return new Set([...units].filter(matters).map(([unit]) => unit));
}

function showOffMap(relevant, choose) {
  const found = [...relevant].filter((unit) => !placeOf(where(unit)) && matches(unit));
  const shown = [...offMap.querySelectorAll("button")].map(({ dataset }) => dataset.unit);
  offMap.hidden = !found.length;
  if (shown.join() === found.join()) return; // a button that has the focus keeps it
  for (const old of offMap.querySelectorAll("button")) old.remove();
  for (const unit of found) {
    const made = button(labelOf(unit), () => choose(unit));
    made.dataset.unit = unit;
    offMap.append(made);
  }
}
