// The board: walk from place to place, choose one, make the map larger. Without this file its places are links.
import Panzoom from "../vendor/panzoom-4.6.2/panzoom.es.js";
import { keyOf } from "./place_keys.js";

export const board = document.querySelector("svg.board");
export const places = new Map([...board.querySelectorAll(".places a")].map((place) => [place.id, place]));

const frame = board.parentElement;
const MOST = 8; // the largest scale; at 1 the map is as wide as its frame
const STEP = 1.5; // the factor of a button or key
const WHEEL = 0.3; // the library's step of a wheel
let stop = board.querySelector('.places a[tabindex="0"]');
let aim = null; // the column that one walks up or down along
let chosen = () => {};

board.setAttribute("role", "application");
board.setAttribute("aria-roledescription", "map");
board.setAttribute("aria-describedby", "keys");
for (const hidden of document.querySelectorAll(".zoom, #keys")) hidden.hidden = false;

// What happens when somebody taps a place, or presses Enter on it.
export function onChoose(act) {
  chosen = act;
}

// --- places -----------------------------------------------------------------------------------------------------------

export const placeOf = (id) => places.get(`place-${keyOf(id)}`);
export const idOf = (place) => decodeURIComponent(place.id.slice("place-".length));

export const middle = (place) => {
  const shape = place.querySelector("use");
  return { x: shape.x.baseVal.value, y: shape.y.baseVal.value };
};

export function stand(place) {
  stop.setAttribute("tabindex", "-1");
  stop = place;
  stop.setAttribute("tabindex", "0");
}

export function mark(place) {
  board.querySelector('[aria-current="true"]')?.removeAttribute("aria-current");
  place?.setAttribute("aria-current", "true");
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
frame.addEventListener("focusin", (event) => {
  const place = event.target.closest(".places a");
  if (place) {
    stand(place);
    bringIn(place);
  }
});

board.addEventListener("keydown", (event) => {
  const place = event.target.closest(".places a");
  if (!place || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key in WAYS) beside(place, WAYS[event.key])?.focus({ preventScroll: true });
  else if (event.key === "Enter" || event.key === " ") chosen(place);
  else if (event.key === "+" || event.key === "=") zoom(STEP, pointOf(place));
  else if (event.key === "-") zoom(1 / STEP, pointOf(place));
  else if (event.key === "0") view.reset({ animate: false });
  else return;
  event.preventDefault();
});

board.addEventListener("click", (event) => {
  const place = event.target.closest(".places a");
  if (!place) return;
  event.preventDefault();
  if (event.detail && dragged) return; // without a pointer nothing was dragged
  aim = null;
  place.focus({ preventScroll: true });
  chosen(place);
});

// --- the part of the map that is seen ---------------------------------------------------------------------------------

const view = Panzoom(board, {
  contain: "outside",
  cursor: "pointer",
  handleStartEvent: () => {}, // a tap is also a click, and gives a place the focus
  maxScale: MOST,
  minScale: 1,
  touchAction: "pan-x pan-y", // a finger on the whole map scrolls the page
});

board.addEventListener("panzoomchange", ({ detail }) => {
  const near = detail.scale > 1;
  board.classList.toggle("near", near);
  frame.style.touchAction = board.style.touchAction = near ? "none" : "pan-x pan-y";
});

// The scale follows two fingers as they part. The library adds a step for every 80 pixels instead, so it gets the step
// that makes this the ratio of their distances when they begin.
const fingers = new Map();

board.addEventListener("panzoomstart", ({ detail }) => {
  follow(detail.originalEvent);
  if (fingers.size !== 2) return;
  const [one, two] = [...fingers.values()];
  const apart = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
  view.setOptions({ step: (80 * view.getScale()) / Math.max(apart, 1) });
});

const follow = (event) => fingers.set(event.pointerId, event);
document.addEventListener("pointermove", (event) => fingers.has(event.pointerId) && follow(event));
for (const end of ["pointerup", "pointercancel"])
  document.addEventListener(end, (event) => fingers.delete(event.pointerId));

function pointOf(place) {
  const box = place.getBoundingClientRect();
  return { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
}

function middleOfFrame() {
  const box = frame.getBoundingClientRect();
  return { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
}

// Zooms by a factor. The point of the map that is at a point of the screen stays there.
function zoom(times, at = middleOfFrame()) {
  view.zoomToPoint(view.getScale() * times, at, { animate: false });
}

// The top and bottom of the part of the frame that nothing covers.
function uncovered() {
  const { top, bottom } = frame.getBoundingClientRect();
  const over = frame.parentElement.querySelector(".over-map")?.getBoundingClientRect();
  if (!over || !over.height || over.top >= bottom) return { top, bottom };
  return over.top - top < bottom - over.bottom ? { top: over.bottom, bottom } : { top, bottom: over.top };
}

// A place that is walked to comes into sight, with some of what lies round it.
export function bringIn(place) {
  const [box, free, at] = [frame.getBoundingClientRect(), uncovered(), pointOf(place)];
  const [side, head] = [box.width * 0.12, (free.bottom - free.top) * 0.12];
  const x = Math.min(Math.max(at.clientX, box.left + side), box.right - side) - at.clientX;
  const y = Math.min(Math.max(at.clientY, free.top + head), free.bottom - head) - at.clientY;
  if (x || y) view.pan(x / view.getScale(), y / view.getScale(), { relative: true, animate: false, force: true });
}

// Whether a place is seen in the lower half of the map's frame.
export const isLow = (place) => pointOf(place).clientY > middleOfFrame().clientY;

// A place that is to be worked at: large enough for a finger; in the middle of the map if somebody did not tap it.
export function goTo(place, { middle: central = false } = {}) {
  const width = place.getBoundingClientRect().width;
  if (width < FINGER) zoom(FINGER / width, pointOf(place));
  if (central) requestAnimationFrame(() => bringIn(place));
}

const FINGER = 34; // pixels

for (const button of document.querySelectorAll("[data-zoom]")) {
  const times = { in: STEP, out: 1 / STEP }[button.dataset.zoom];
  button.addEventListener("click", () => (times ? zoom(times) : view.reset({ animate: false })));
}

// The wheel belongs to the page until somebody is at the map; two fingers on a pad mean the map in any case.
board.addEventListener(
  "wheel",
  (event) => {
    if (!event.ctrlKey && !board.contains(document.activeElement)) return;
    if (event.deltaY > 0 && view.getScale() <= 1) return;
    view.zoomWithWheel(event, { step: WHEEL });
  },
  { passive: false },
);

let dragged = false;
let from = null;

// Before anybody who keeps the event from the map.
frame.addEventListener(
  "pointerdown",
  (event) => {
    dragged = false;
    from = event;
  },
  { capture: true },
);

board.addEventListener("pointermove", (event) => {
  if (from && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > 5) dragged = true;
});

board.addEventListener("dragstart", (event) => event.preventDefault());

// Two fingers are for the map, not for the page.
board.addEventListener("touchmove", (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
