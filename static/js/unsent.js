// Text that the server does not have yet stays in this browser: for one person, one desk and one phase. Their sign-out,
// or somebody else's sign-in, clears it (fieldpost.js).
"use strict";

{
  const { person } = document.body.dataset;
  const notices = document.querySelector("#unsent");
  const { campaign, desk, phase, title, posted, saved } = notices.dataset;
  const form = document.querySelector("#sheet");
  const text = form?.elements.text;
  const state = document.querySelector("#kept");
  const MOST_DAYS = 30;
  const DAY = 24 * 60 * 60 * 1000;
  const AGAIN = 10_000; // milliseconds until the next try to save

  const nameOf = (of) => UNSENT + JSON.stringify([person, campaign, desk, of]);
  const here = nameOf(phase);
  const keptAs = (name) => JSON.parse(localStorage.getItem(name) ?? "null");

  // What the server has.
  let acknowledged = posted && !saved ? null : (text?.value ?? null);

  function keep() {
    if (text.value === acknowledged) return localStorage.removeItem(here);
    const version = form.elements.version.value;
    localStorage.setItem(here, JSON.stringify({ text: text.value, version, title, at: Date.now() }));
  }

  function replaceText(next, version) {
    text.value = next;
    form.elements.version.value = version;
    text.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // --- notices --------------------------------------------------------------------------------------------------------

  function made(name, words = "", attributes = {}) {
    const element = Object.assign(document.createElement(name), { textContent: words });
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  function button(words, act) {
    const element = made("button", words, { type: "button", class: "outline" });
    element.addEventListener("click", act);
    return element;
  }

  // One notice of a kind at a time; without words, none.
  function notice(kind, words, ...parts) {
    notices.querySelector(`[data-kind="${kind}"]`)?.remove();
    if (!words) return;
    const box = made("div", "", { class: "message warning", role: "status", "data-kind": kind });
    box.append(made("p", words), ...parts);
    notices.append(box);
  }

  const when = (at) => new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

  // --- what is kept from before ---------------------------------------------------------------------------------------

  function offer() {
    const kept = keptAs(here);
    if (posted && !saved) saveAgain();
    if (posted || !kept || kept.text === text.value) return keep();
    const [theirs, version] = [text.value, form.elements.version.value];
    const older = String(Math.min(kept.version, version));
    notice(
      "restored",
      `This text was not saved on the server. You typed it on ${when(kept.at)}, and it is back in the field.`,
      button("Use the saved text instead", () => {
        replaceText(theirs, version);
        notice("restored", "");
      }),
    );
    replaceText(kept.text, older);
  }

  // Text for this desk in phases that have closed since.
  function offerOlder() {
    for (const name of Object.keys(localStorage)) {
      if (!name.startsWith(UNSENT) || name === here) continue;
      const [, where, whose, of] = JSON.parse(name.slice(UNSENT.length));
      if (where === campaign && whose === desk) show(name, of, keptAs(name));
    }
  }

  function show(name, of, kept) {
    if (Date.now() - kept.at > MOST_DAYS * DAY) return localStorage.removeItem(name);
    const id = `unsent-${of}`;
    const field = made("textarea", kept.text, { id, class: "sheet", rows: 8, readonly: "", "aria-label": kept.title });
    const discard = button("Discard it", () => {
      localStorage.removeItem(name);
      notice(of, "");
    });
    const words = `You wrote this for ${kept.title}, and it was never submitted. It is only in this browser.`;
    notice(of, words, field, made("button", "Copy", { type: "button", "data-copy": id }), " ", discard);
  }

  // --- saving ---------------------------------------------------------------------------------------------------------

  let again = 0;

  function saveAgain() {
    clearTimeout(again);
    if (text.value !== acknowledged) htmx.trigger(state, "retry");
  }

  const path = (address) => new URL(address, location.href).pathname;
  const isOurs = ({ target }) => target === state || target === text;

  function unreached(event) {
    if (!isOurs(event)) return;
    if (event.detail.xhr.status === 403) {
      const reload = made("a", "Reload the page", { href: location.pathname });
      return notice("saving", "This page is too old to save your text. It is kept in this browser. ", reload);
    }
    notice("saving", "The server did not answer. Your text is kept in this browser and saved as soon as it does.");
    clearTimeout(again);
    again = setTimeout(saveAgain, AGAIN);
  }

  function answered(event) {
    const { xhr, requestConfig, successful } = event.detail;
    if (event.target !== state || !successful || path(xhr.responseURL) !== path(requestConfig.path)) return;
    notice("saving", "");
    if (!xhr.responseText.startsWith("Draft saved")) return;
    acknowledged = requestConfig.formData.get("text");
    keep();
  }

  // The page for signing in, in place of an answer.
  function refuseStrangers(event) {
    const { xhr, requestConfig } = event.detail;
    if (!isOurs({ target: requestConfig.elt }) || path(xhr.responseURL) === path(requestConfig.path)) return;
    event.detail.shouldSwap = false;
    const link = made("a", "Sign in", { href: `/account/login/?next=${encodeURIComponent(location.pathname)}` });
    notice(
      "saving",
      "You are signed out. Your text is kept in this browser and is back in the field after you sign in. ",
      link,
    );
  }

  document.addEventListener("DOMContentLoaded", () => {
    offerOlder();
    if (!form) return;
    text.addEventListener("input", keep);
    form.addEventListener("submit", () => {
      keep();
      sessionStorage.setItem(UNSENT, JSON.stringify({ name: here, text: text.value }));
    });
    document.body.addEventListener("htmx:afterRequest", answered);
    document.body.addEventListener("htmx:beforeSwap", refuseStrangers);
    for (const trouble of ["htmx:sendError", "htmx:responseError", "htmx:timeout"])
      document.body.addEventListener(trouble, unreached);
    addEventListener("online", saveAgain);
    addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
    offer();
  });
}
