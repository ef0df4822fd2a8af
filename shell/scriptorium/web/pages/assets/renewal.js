// Changes of memory appear by themselves: the page is asked for anew, and put in place of what is there.
// What somebody has opened, typed, reached or chosen stays.

import { $, $$, parsed, part, root, say } from "./asking.js";
import { drafted, renewed } from "./editor.js";
import { placed, proofOf } from "./evidence.js";
import { held } from "./places.js";
import { opened, replaced, watch } from "./rows.js";

const every = 3000;

// The evidence that is open, of the records as they are now.
async function evidence(fresh, main) {
  for (const panel of $$(".panel", main)) {
    const link = proofOf(panel);
    const alike = (within) => $$("a.proof", within).filter((each) => each.getAttribute("href") === link.getAttribute("href"));
    const now = alike(fresh)[alike(main).indexOf(link)];
    const [answer, found] = now ? await part(link.href) : [{ ok: false }];
    if (answer.ok) placed(now, $(".panel", found));
  }
}

const keyed = (within) => new Map($$("details", within).map((each, n, all) => {
  const owner = each.closest("[id]:not(main)")?.id ?? "";
  const place = all.slice(0, n).filter((other) => (other.closest("[id]:not(main)")?.id ?? "") === owner).length;
  return [each.dataset.key ?? `${owner} ${place}`, each];
}));

function filled(fresh, main) {
  const before = keyed(main);
  for (const [key, each] of keyed(fresh)) {
    if (before.has(key)) each.open = before.get(key).open;
  }
  const fields = (within) => $$("input:not([type=hidden]), textarea", within);
  const now = fields(fresh);
  for (const field of fields(main)) {
    const same = now.find((each) => each.name === field.name && each.form?.getAttribute("action") === field.form?.getAttribute("action"));
    if (same && field.type === "checkbox") same.checked = field.checked;
    else if (same && field.value !== field.defaultValue) same.value = field.value;
  }
}

function content(fresh, main) {
  if (drafted()) {
    say("Memory has changed. Your draft stays as it is, and meets what has changed when you save it.");
    return;
  }
  const menu = $("[popover]:popover-open", main);
  renewed(fresh, () => {
    filled(fresh, main);
    held(main, () => {
      main.replaceChildren(...fresh.childNodes);
      if (menu) document.getElementById(menu.id)?.showPopover();
    });
  });
}

async function renew(revision) {
  const answer = await fetch(location.href, { credentials: "same-origin" });
  document.body.dataset.revision = revision;
  if (!answer.ok) {
    say("Memory has changed, and what stood here is not there any more.");
    return;
  }
  const page = await parsed(answer);
  const [side, main, items, fresh] = [$(".side"), $("#content"), $("#items", page), $("#content", page)];
  await opened(items, $("#items"));
  await evidence(fresh, main);
  held(side, () => replaced(items, $("#items")));
  content(fresh, main);
  document.body.dataset.revision = page.body.dataset.revision;
  watch();
}

let timer = 0;
let looking = false;

async function look() {
  if (looking) return;
  looking = true;
  clearTimeout(timer);
  try {
    if (document.visibilityState === "visible") {
      const answer = await fetch(`${root}/revision`, { credentials: "same-origin" });
      if (answer.ok) {
        const { revision } = await answer.json();
        if (revision !== document.body.dataset.revision) await renew(revision);
      }
    }
  } catch {
    say("The server does not answer; it is asked again.");
  } finally {
    looking = false;
    timer = setTimeout(look, every);
  }
}

// Whoever comes back to the page sees at once what has changed.
export function begin() {
  timer = setTimeout(look, every);
  addEventListener("focus", look);
  document.addEventListener("visibilitychange", look);
}
