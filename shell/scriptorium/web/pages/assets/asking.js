// What every part of the page needs: to find an element, to ask the server for a part, to say something.

export const root = document.body.dataset.root;
const parser = new DOMParser();
export const $ = (query, within = document) => within.querySelector(query);
export const $$ = (query, within = document) => [...within.querySelectorAll(query)];
export const say = (text) => { $("#status").textContent = text; };
export const parsed = async (answer) => parser.parseFromString(await answer.text(), "text/html");

export async function part(address, options = {}) {
  const headers = { "X-Part": "1", ...options.headers };
  const answer = await fetch(address, { credentials: "same-origin", ...options, headers });
  return [answer, await parsed(answer)];
}
