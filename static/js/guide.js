// The guide: its box keeps out of the way of what it points at. Without this file it stands at the top of the page.
import { keyOf } from "./place_keys.js";

const slot = () => document.querySelector("#guide-place");
const box = () => document.querySelector("#guide");
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
let step = null; // what the box said last
let target = null;
let wanted = false; // the next step takes the focus: somebody pressed a button of the guide

// --- what it points at ------------------------------------------------------------------------------------------------

function find({ target: selector, place }) {
  if (place) return document.getElementById(`place-${keyOf(place)}`);
  return selector ? document.querySelector(selector) : null;
}

// On a phone the orders page shows the map or the sheet.
function uncover(found) {
  const name = found.closest(".on-map") ? "map" : found.closest(".writing") ? "sheet" : "";
  const tab = name && document.querySelector(`[data-shows="${name}"]`);
  if (tab && tab.offsetParent && tab.getAttribute("aria-pressed") !== "true") tab.click();
  const folded = found.closest("details");
  if (folded) folded.open = true;
}

async function enlarge(found) {
  if (!found.closest("svg.board")) return;
  const { goTo } = await import("./board.js");
  goTo(found, { middle: true });
}

// --- where the box is -------------------------------------------------------------------------------------------------

const CORNERS = ["low end", "low start", "high end", "high start"];
const GAP = 8;

const meet = (a, b) =>
  a.left < b.right + GAP && b.left < a.right + GAP && a.top < b.bottom + GAP && b.top < a.bottom + GAP;

// The first corner in which it covers nothing of what it points at; on a narrow screen all are at the bottom.
function settle() {
  const here = box();
  if (!here || !target) return;
  const free = CORNERS.find((corner) => {
    here.dataset.corner = corner;
    return !meet(here.getBoundingClientRect(), target.getBoundingClientRect());
  });
  here.dataset.corner = free ?? CORNERS[0];
}

// What it points at comes into the part of the screen above a box at the bottom.
function show() {
  const height = window.innerHeight;
  const low = box().getBoundingClientRect();
  const free = low.width > window.innerWidth * 0.8 ? height - low.height - 2 * GAP : height;
  const { top, height: size } = target.getBoundingClientRect();
  const wished = size < free ? (free - size) / 2 : GAP;
  window.scrollBy({ top: top - wished, behavior: still.matches ? "instant" : "smooth" });
  settle();
}

async function point() {
  document.querySelector(".pointed")?.classList.remove("pointed");
  const here = box();
  target = here ? find(here.dataset) : null;
  if (here) here.classList.add("afloat");
  if (!target) return;
  uncover(target);
  await enlarge(target);
  if (here !== box() || !target) return; // another step has come meanwhile
  target.classList.add("pointed");
  follows = true;
  show();
}

// Pictures that arrive late move what it points at, which is followed until somebody scrolls or acts.
let follows = false;
for (const act of ["wheel", "touchmove", "keydown", "pointerdown"])
  window.addEventListener(act, () => (follows = false), { passive: true, capture: true });
new ResizeObserver(() => follows && box() && target?.isConnected && show()).observe(document.querySelector("main"));

// --- steps ------------------------------------------------------------------------------------------------------------

async function arrive() {
  const here = box();
  const now = here?.dataset.step ?? null;
  const pressed = wanted;
  wanted = false;
  if (here && now === step && here.classList.contains("afloat")) return;
  const same = now === step;
  step = now;
  await point();
  if (pressed || (!same && !document.activeElement?.closest("main")))
    focusOn(here ?? slot()?.querySelector("button[name=guide]"));
}

function focusOn(element) {
  element?.focus({ preventScroll: true });
}

const press = (act) => box()?.querySelector(`button[value="${act}"]`)?.click();

// The sheet has the order that the step proposes, or its unit is chosen: on to the next.
function isDone() {
  const { verb, unit, tap } = box().dataset;
  if (tap && target?.getAttribute("aria-current") === "true") return true;
  if (!verb) return false;
  return [...document.querySelectorAll("#answer [data-verb]")].some(
    ({ dataset }) =>
      dataset.verb === verb &&
      dataset.ignored !== "true" &&
      (unit ? dataset.units.split("|").includes(unit) : !dataset.units),
  );
}

let left = null; // the step that is being left

function look() {
  const here = box();
  if (!here || here.dataset.step === left || !isDone()) return;
  left = here.dataset.step;
  press("next");
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("#guide-place button");
  if (button && event.isTrusted) wanted = true;
});

document.body.addEventListener("htmx:afterSettle", () => {
  arrive().then(look);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !event.target.closest("#guide")) return;
  event.stopPropagation();
  wanted = true;
  press("leave");
});

const svg = document.querySelector("svg.board");
if (svg) new MutationObserver(look).observe(svg, { attributeFilter: ["aria-current"], subtree: true });

for (const moved of ["scroll", "resize"]) window.addEventListener(moved, settle, { passive: true });

arrive().then(look);
