// The list beside the page: folders that are filled when they open, and the pieces of a long one when they
// come near. A piece that was loaded before memory changed is stale: it stays, and is loaded anew when seen.

import { $, $$, part } from "./asking.js";
import { held } from "./places.js";

const high = 36;
const depthOf = (row) => Number([...row.classList].find((name) => name.startsWith("depth-"))?.slice(6) ?? 0);

async function rowsOf(address, depth) {
  const [answer, found] = await part(address).catch(() => [{ ok: false }]);
  if (!answer.ok) return null;
  const list = $(".rows", found);
  for (const row of $$(".row", list)) {
    row.classList.replace(`depth-${depthOf(row)}`, `depth-${Math.min(depthOf(row) + depth, 6)}`);
    if (row.pathname === location.pathname) row.setAttribute("aria-current", "page");
  }
  return list;
}

async function fill(folder) {
  const address = folder.dataset.rest;
  delete folder.dataset.rest;
  const rows = await rowsOf(address, depthOf($("summary", folder)) + 1);
  if (rows) $("ul", folder).replaceChildren(...rows.childNodes);
  else folder.dataset.rest = address;
}

document.addEventListener("toggle", async (event) => {
  const folder = event.target;
  if (folder instanceof HTMLDetailsElement && folder.open && folder.dataset.rest) {
    await fill(folder);
    watch();
  }
}, true);

// --- Pieces -------------------------------------------------------------------------------------

async function load(piece) {
  const waits = "wait" in piece.dataset;
  delete piece.dataset.wait;
  delete piece.dataset.stale;
  const rows = await rowsOf(piece.dataset.from, depthOf($(".row", piece)));
  if (!rows) {
    piece.dataset[waits ? "wait" : "stale"] = "";
    return;
  }
  await opened(rows, piece);
  held($(".side"), () => {
    piece.style.height = "";
    $("ul", piece).replaceChildren(...rows.childNodes);
  });
}

const near = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    if (isIntersecting && ("wait" in target.dataset || "stale" in target.dataset)) load(target);
  }
}, { root: $(".side"), rootMargin: "1200px 0px" });

// The browser lays out the pieces that are seen, however many there are; the others are as high as they will be.
export function watch() {
  for (const piece of $$(".chunk")) {
    const height = `${high * piece.dataset.rows}px`;
    piece.style.containIntrinsicHeight = `auto ${height}`;
    if ("wait" in piece.dataset) piece.style.height = height;
    near.unobserve(piece);
    if ("wait" in piece.dataset || "stale" in piece.dataset) near.observe(piece);
  }
}

// --- A list in place of an older one ---------------------------------------------------------------

// Folders are open as they were, and filled, before anything is seen of them.
export async function opened(fresh, old) {
  for (const folder of $$("details[data-key]", old)) {
    const now = $(`details[data-key="${CSS.escape(folder.dataset.key)}"]`, fresh);
    if (!now) continue;
    if (folder.open && now.dataset.rest) await fill(now);
    now.open = folder.open;
  }
}

export function replaced(fresh, old) {
  for (const piece of $$(".chunk[data-wait]", fresh)) {
    const before = $(`.chunk[data-from="${CSS.escape(piece.dataset.from)}"]:not([data-wait])`, old);
    if (!before) continue;
    $("ul", piece).replaceWith($("ul", before));
    delete piece.dataset.wait;
    piece.dataset.stale = "";
  }
  old.replaceWith(fresh);
  watch();
}
