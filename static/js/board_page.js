// The page of the board: a place that is chosen shows what is in it.
import { mark, onChoose, places, stand } from "./board.js";

const here = document.querySelector(".here");
here.hidden = false;

function show(place) {
  const copy = document.getElementById(place.getAttribute("href").slice(1)).cloneNode(true);
  copy.removeAttribute("id");
  here.replaceChildren(copy);
  mark(place);
  history.replaceState(null, "", place.getAttribute("href"));
}

onChoose(show);

// An address may name a place.
const named = places.get(location.hash.replace("#at-", "place-"));
if (named) {
  stand(named);
  show(named);
}
