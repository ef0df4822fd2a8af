// Evidence in place: below the words that it is about, and away again.

import { $, $$, part } from "./asking.js";

const blockOf = (link) => link.closest("p") ?? link.parentElement;

// The panels below a block, one for each of its records that somebody has opened.
function panelsOf(block) {
  const found = [];
  let next = block.matches("p") ? block.nextElementSibling : block.firstElementChild;
  for (; next; next = next.nextElementSibling) {
    if (next.classList.contains("panel")) found.push(next);
    else if (block.matches("p")) break;
  }
  return found;
}

const panelOf = (link) => panelsOf(blockOf(link)).find((each) => each.dataset.of === link.getAttribute("href"));

export function proofOf(panel) {
  let block = panel;
  while (block?.classList.contains("panel")) block = block.previousElementSibling;
  const within = block?.matches("p") ? block : panel.parentElement;
  return $$("a.proof", within).find((each) => each.getAttribute("href") === panel.dataset.of);
}

export function placed(link, panel) {
  const block = blockOf(link);
  panel.dataset.of = link.getAttribute("href");
  if (block.matches("p")) (panelsOf(block).at(-1) ?? block).after(panel);
  else block.append(panel);
  link.setAttribute("aria-expanded", "true");
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a.proof");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (panelOf(link)) {
    panelOf(link).remove();
    link.setAttribute("aria-expanded", "false");
    return;
  }
  const [answer, found] = await part(link.href);
  if (!answer.ok) location.assign(link.href);
  else if (!panelOf(link)) placed(link, $(".panel", found));
});
