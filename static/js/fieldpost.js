// Small comforts. Every page works without them.
"use strict";

// Times are also written in the reader's own zone, as their computer has it.
for (const time of document.querySelectorAll("time[datetime]")) {
  const there = new Date(time.dateTime);
  if (!Number.isNaN(there.valueOf()))
    time.title = there.toLocaleString(undefined, { dateStyle: "full", timeStyle: "short" }) + " (your computer's time)";
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
