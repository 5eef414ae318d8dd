// Small comforts. Every page works without them.
"use strict";

// Times are also written in the reader's own zone, as their computer has it.
for (const time of document.querySelectorAll("time[datetime]")) {
  const there = new Date(time.dateTime);
  if (!Number.isNaN(there.valueOf()))
    time.title = there.toLocaleString(undefined, { dateStyle: "full", timeStyle: "short" }) + " (your computer's time)";
}

// A short name is proposed while a title is typed, until its reader writes one.
for (const field of document.querySelectorAll("[data-short-name-of]")) {
  const title = document.getElementById(field.dataset.shortNameOf);
  let proposed = "";
  title.addEventListener("input", () => {
    if (field.value !== proposed) return;
    const letters = title.value.normalize("NFKD").replace(/[^ -~]/g, "");
    const words = letters
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .trim();
    proposed = words
      .replace(/[-\s]+/g, "-")
      .slice(0, 50)
      .replace(/^[-_]+|[-_]+$/g, "");
    field.value = proposed;
  });
}

// The time zone of this browser is proposed.
for (const field of document.querySelectorAll("select[data-own-zone]")) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if ([...field.options].some(({ value }) => value === timeZone)) field.value = timeZone;
}

// A button that copies the text of a field.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  await navigator.clipboard.writeText(field.value);
  button.textContent = "Copied";
});

// Text that is kept in this browser (unsent.js) is for the person who typed it.
const UNSENT = "fieldpost-unsent";

function forgetUnsent(isConcerned) {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(UNSENT));
  for (const name of names) if (isConcerned(JSON.parse(name.slice(UNSENT.length))[0])) localStorage.removeItem(name);
}

const { person } = document.body.dataset;
if (person) forgetUnsent((who) => who !== person);
document.addEventListener("submit", ({ target }) => {
  if (person && target.matches('[action="/account/logout/"]')) forgetUnsent(() => true);
});

// What was just submitted from here is on the server.
if (document.querySelector(".message.received")) {
  const sent = JSON.parse(sessionStorage.getItem(UNSENT) ?? "null");
  const kept = sent && JSON.parse(localStorage.getItem(sent.name) ?? "null");
  if (kept?.text === sent?.text) localStorage.removeItem(sent?.name);
  sessionStorage.removeItem(UNSENT);
}
