// The board: walk from place to place, look into one, make the map larger. Without this file its places are links.
"use strict";

const board = document.querySelector("svg.board");
const here = document.querySelector(".here");
const places = new Map([...board.querySelectorAll(".places a")].map((place) => [place.id, place]));
const view = board.viewBox.baseVal;
const whole = { x: view.x, y: view.y, width: view.width, height: view.height };
const MOST = 8; // times as large as the whole
let stop = board.querySelector('.places a[tabindex="0"]');
let aim = null; // the column that one walks up or down along

board.setAttribute("role", "application");
board.setAttribute("aria-roledescription", "map");
board.setAttribute("aria-describedby", "keys");
here.hidden = false;
document.querySelector(".zoom").hidden = false;
document.querySelector("#keys").hidden = false;

// --- places -----------------------------------------------------------------------------------------------------------

const middle = (place) => {
  const shape = place.querySelector("use");
  return { x: shape.x.baseVal.value, y: shape.y.baseVal.value };
};

function stand(place) {
  stop.setAttribute("tabindex", "-1");
  stop = place;
  stop.setAttribute("tabindex", "0");
}

function show(place) {
  const copy = document.getElementById(place.getAttribute("href").slice(1)).cloneNode(true);
  copy.removeAttribute("id");
  here.replaceChildren(copy);
  board.querySelector('[aria-current="true"]')?.removeAttribute("aria-current");
  place.setAttribute("aria-current", "true");
  history.replaceState(null, "", place.getAttribute("href"));
}

const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

// The neighbour that lies nearest to a direction. Up and down keep to a column, though places of rows stand askew.
function beside(place, [right, down]) {
  const from = middle(place);
  aim = right ? null : (aim ?? from.x);
  let found = null;
  let least = Infinity;
  for (const key of place.dataset.next.split(" ").filter(Boolean)) {
    const next = places.get("place-" + key);
    const to = middle(next);
    const [x, y] = [to.x - from.x, to.y - from.y];
    const ahead = x * right + y * down;
    const aside = down ? Math.abs(to.x - aim) : Math.abs(y);
    if (ahead > 0.6 * Math.hypot(x, y) && aside - ahead < least) [found, least] = [next, aside - ahead];
  }
  return found;
}

// Not on the board itself: Chromium takes an SVG element that listens for this to be a tab stop of its own.
board.parentElement.addEventListener("focusin", (event) => {
  const place = event.target.closest(".places a");
  if (place) {
    stand(place);
    bringIn(middle(place));
  }
});

board.addEventListener("keydown", (event) => {
  const place = event.target.closest(".places a");
  if (!place || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key in WAYS) beside(place, WAYS[event.key])?.focus({ preventScroll: false });
  else if (event.key === "Enter" || event.key === " ") show(place);
  else if (event.key === "+" || event.key === "=") zoom(1.5, middle(place));
  else if (event.key === "-") zoom(1 / 1.5, middle(place));
  else if (event.key === "0") zoom(0);
  else return;
  event.preventDefault();
});

board.addEventListener("click", (event) => {
  const drag = dragged && event.detail; // where no pointer was, nothing was dragged
  dragged = false;
  const place = event.target.closest(".places a");
  if (!place) return;
  event.preventDefault();
  if (drag) return;
  aim = null;
  place.focus({ preventScroll: true });
  show(place);
});

// --- the part of the map that is seen ----------------------------------------------------------------------------

function look(x, y, width) {
  const height = (width * whole.height) / whole.width;
  view.width = width;
  view.height = height;
  view.x = Math.min(Math.max(x, whole.x), whole.x + whole.width - width);
  view.y = Math.min(Math.max(y, whole.y), whole.y + whole.height - height);
  board.classList.toggle("near", width < whole.width);
}

// So many times as large, with a point of the map where it is; 0: the whole.
function zoom(times, at = { x: view.x + view.width / 2, y: view.y + view.height / 2 }) {
  const width = times ? Math.min(Math.max(view.width / times, whole.width / MOST), whole.width) : whole.width;
  const part = width / view.width;
  look(at.x - (at.x - view.x) * part, at.y - (at.y - view.y) * part, width);
}

// A place that is walked to comes into sight, with some of what lies round it.
function bringIn(at) {
  const [side, head] = [view.width * 0.12, view.height * 0.12];
  const x = Math.min(Math.max(view.x, at.x + side - view.width), at.x - side);
  const y = Math.min(Math.max(view.y, at.y + head - view.height), at.y - head);
  look(x, y, view.width);
}

function onMap(event) {
  const box = board.getBoundingClientRect();
  return {
    x: view.x + ((event.clientX - box.left) / box.width) * view.width,
    y: view.y + ((event.clientY - box.top) / box.height) * view.height,
  };
}

for (const button of document.querySelectorAll("[data-zoom]")) {
  button.addEventListener("click", () => zoom({ in: 1.5, out: 1 / 1.5, whole: 0 }[button.dataset.zoom]));
}

// The wheel belongs to the page until somebody is at the map; two fingers on a pad mean the map in any case.
board.addEventListener(
  "wheel",
  (event) => {
    if (!event.ctrlKey && !board.contains(document.activeElement)) return;
    if (event.deltaY > 0 && view.width >= whole.width) return;
    event.preventDefault();
    zoom(Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) / 180), onMap(event));
  },
  { passive: false },
);

const fingers = new Map();
let dragged = false;

function spread() {
  const [a, b] = fingers.values();
  return {
    clientX: b ? (a.clientX + b.clientX) / 2 : a.clientX,
    clientY: b ? (a.clientY + b.clientY) / 2 : a.clientY,
    apart: b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0,
  };
}

board.addEventListener("pointerdown", (event) => {
  if (event.button) return;
  if (!fingers.size) dragged = false;
  fingers.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
});

board.addEventListener("pointermove", (event) => {
  const was = fingers.get(event.pointerId);
  if (!was) return;
  if (!dragged && fingers.size === 1 && Math.hypot(event.clientX - was.clientX, event.clientY - was.clientY) < 5)
    return;
  const before = spread();
  const point = onMap(before);
  fingers.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
  const after = spread();
  dragged = true;
  if (before.apart && after.apart) zoom(after.apart / before.apart, point);
  const now = onMap(after);
  look(view.x + point.x - now.x, view.y + point.y - now.y, view.width);
});

for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
  board.addEventListener(end, (event) => fingers.delete(event.pointerId));
}

board.addEventListener("dragstart", (event) => event.preventDefault());

// Two fingers are for the map, not for the page.
board.addEventListener("touchmove", (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });

// An address may name a place.
const named = places.get(location.hash.replace("#at-", "place-"));
if (named) {
  stand(named);
  show(named);
}
