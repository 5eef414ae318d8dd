// A way that is drawn from place to place with a finger or the mouse.
import { board, idOf } from "../board.js";
import { drawGoing, placeAt } from "./drawing.js";

const frame = board.parentElement;

// `begins`: whether a way may begin at a place. `draw`: what to do with the places of a way after its first.
export function onWay(begins, draw) {
  let way = null;
  let pointer = null; // the finger that draws it

  function stop() {
    way = pointer = null;
    drawGoing([]);
  }

  // Before the map takes it: from here a way is drawn, and the map stays where it is.
  frame.addEventListener(
    "pointerdown",
    (event) => {
      if (way) stop(); // two fingers draw nothing
      const place = event.isPrimary && !event.button ? placeAt(event) : null;
      if (!place || !begins(idOf(place))) return;
      event.stopPropagation();
      way = [place];
      pointer = event.pointerId;
    },
    { capture: true },
  );

  document.addEventListener("pointermove", (event) => {
    const place = way && event.pointerId === pointer ? placeAt(event) : null;
    if (!place || place === way[way.length - 1]) return;
    if (place === way[way.length - 2]) way.pop();
    else if (isNext(way[way.length - 1], place)) way.push(place);
    drawGoing(way.map(idOf));
  });

  // A finger that draws does not scroll the page.
  frame.addEventListener("touchmove", (event) => way && event.preventDefault(), { passive: false });

  document.addEventListener("pointerup", (event) => {
    if (!way || event.pointerId !== pointer) return;
    const [from, ...along] = way.map(idOf);
    stop();
    if (along.length) draw(from, along);
  });
  document.addEventListener("pointercancel", (event) => event.pointerId === pointer && stop());
}

const isNext = (one, other) => one.dataset.next.split(" ").some((key) => `place-${key}` === other.id);
