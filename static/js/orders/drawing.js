// What is drawn on the board: the shaded places, the lines of the sheet, and what the filters leave out.
import { board, middle, placeOf, places } from "../board.js";
import { lines, lineUnderCursor } from "./sheet.js";
import { where } from "./units.js";

const SVG = "http://www.w3.org/2000/svg";

function shape(name, attributes, words = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = words;
  return made;
}

const layer = (kind) => shape("g", { class: kind, "aria-hidden": "true" });

const links = board.querySelector(".places");
const [reach, costs, dimmed, plan, going] = ["reach", "costs", "dimmed", "plan", "plan"].map(layer);
const counters = board.querySelector(".counters");
if (counters) counters.before(reach); // no counter is hidden by the colour of its place
else links.before(reach);
links.before(dimmed, costs, plan, going);
const wide = links.querySelector("use").getBBox().width;

// Shade places by their ids; a word for each: what it costs, or the kind of its look.
export function shade(shown) {
  reach.replaceChildren();
  costs.replaceChildren();
  for (const [id, words] of shown) {
    const place = placeOf(id);
    if (!place) continue;
    const outline = place.querySelector("use").cloneNode();
    outline.dataset.place = id;
    reach.append(outline);
    if (/^\d+$/.test(words)) {
      const at = middle(place);
      outline.dataset.cost = words;
      costs.append(shape("text", { x: at.x, y: at.y + wide * 0.38, "font-size": wide * 0.2 }, words));
    } else if (words) outline.setAttribute("class", words);
  }
}

// Cover the places of these ids.
export function dim(ids) {
  const covered = [...ids].map(placeOf).filter(Boolean);
  dimmed.replaceChildren(...covered.map((place) => place.querySelector("use").cloneNode()));
}

const wrong = document.querySelector("#wrong");

// Every line that leads somewhere; the one under the cursor in bold, with what is wrong with it.
export function drawPlan() {
  const now = lineUnderCursor();
  plan.replaceChildren();
  for (const line of lines) {
    const points = line.path.map(placeOf).filter(Boolean).map(middle);
    if (line.ignored && line.units.length && points.length) {
      const start = placeOf(where(line.units[0]) ?? "");
      if (start && placeOf(line.path[0]) !== start) points.unshift(middle(start));
    }
    if (!points.length) continue;
    const kind = [line.arrow || "order", line.ignored ? "ignored" : "", line.number === now ? "current" : ""].join(" ");
    plan.append(points.length > 1 ? arrow(points, kind) : ring(points[0], kind));
    if (line.ignored) plan.append(warning(points[points.length - 1]));
  }
  const under = lines.find((line) => line.number === now);
  wrong.textContent = under?.wrong ? `Line ${now}: ${under.wrong}` : "";
}

// A way while a finger or the mouse draws it.
export function drawGoing(ids) {
  const points = ids.map(placeOf).map(middle);
  going.replaceChildren(...(points.length > 1 ? [arrow(points, "move current going")] : []));
}

function arrow(points, kind) {
  const drawn = shape("g", { class: kind });
  const [tip, last] = [points[points.length - 1], points[points.length - 2]];
  const turn = (Math.atan2(tip.y - last.y, tip.x - last.x) * 180) / Math.PI;
  const way = points.map((point) => `${point.x},${point.y}`).join(" ");
  const size = wide * 0.22;
  const head = `M0,0 L${-size},${size * 0.6} L${-size},${-size * 0.6} Z`;
  for (const each of ["rim", "ink"]) {
    drawn.append(
      shape("polyline", { points: way, class: each }),
      shape("path", { d: head, class: each, transform: `translate(${tip.x} ${tip.y}) rotate(${turn})` }),
    );
  }
  return drawn;
}

function ring(point, kind) {
  return shape("circle", { cx: point.x, cy: point.y, r: wide * 0.3, class: kind });
}

function warning(point) {
  const at = { x: point.x + wide * 0.24, y: point.y - wide * 0.12, "font-size": wide * 0.36, class: "warning" };
  return shape("text", at, "!");
}

// The place that is seen at a point of the window.
export const placeAt = ({ clientX, clientY }) => {
  const found = document.elementFromPoint(clientX, clientY)?.closest(".places a");
  return found ? places.get(found.id) : undefined;
};
