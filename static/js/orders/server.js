// What the server is asked while somebody taps, and plain words for what goes wrong.
const KEPT = "Your text is still in the sheet.";

// Words for an answer that is no success; `told` is what the server itself says of it.
export function troubleOf(status, told = "") {
  if (!status) {
    if (!navigator.onLine) return `You are offline. ${KEPT} Try again when you are online.`;
    return `The server did not answer. ${KEPT} Check your connection and try again.`;
  }
  if (status === 401 || status === 403)
    return `You are signed out, or may no longer write this sheet. ${KEPT} Copy it, then sign in again.`;
  if (status === 404) return `This sheet is not open any more. ${KEPT} Copy it, then reload the page.`;
  if (status >= 500) return `The server has an error (${status}). ${KEPT} Try again in a minute.`;
  return `${told || `The server refused this (${status}).`} ${KEPT}`;
}

// An answer of another page than the one that was asked is the page to sign in.
export const isElsewhere = (asked, answered) =>
  Boolean(answered) && new URL(answered, location).pathname !== new URL(asked, location).pathname;

// POST JSON; the answer, or an error whose message can be shown.
export async function post(address, body, token) {
  const response = await fetch(address, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json", "X-CSRFToken": token },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (!response) throw new Error(troubleOf(0));
  if (response.redirected && isElsewhere(address, response.url)) throw new Error(troubleOf(401));
  if (response.ok) return response.json();
  const { message } = await response.json().catch(() => ({}));
  throw new Error(troubleOf(response.status, message));
}
