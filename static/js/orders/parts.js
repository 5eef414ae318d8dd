// Parts of the menu: sentences, buttons, groups and lists.
export function paragraph(words, kind = "") {
  const made = document.createElement("p");
  made.className = kind;
  made.textContent = words;
  return made;
}

export function button(words, act, kind = "outline") {
  const made = document.createElement("button");
  made.type = "button";
  made.className = kind;
  made.textContent = words;
  made.addEventListener("click", act);
  return made;
}

export function group(title, parts) {
  const made = document.createElement("div");
  made.className = "choice";
  if (title) made.append(Object.assign(document.createElement("strong"), { textContent: title }));
  made.append(...parts);
  return made;
}

// A list to choose from, for those who do not use the map.
export function list(title, found, wordsOf, add) {
  const made = document.createElement("select");
  made.setAttribute("aria-label", title);
  found.forEach((each, index) => made.append(new Option(wordsOf(each), index)));
  return [made, button("Add", () => add(found[made.value]))];
}
