// Evidence in place: below the words that it is about, and away again.

import { $, part } from "./asking.js";

const blockOf = (link) => link.closest("p") ?? link.parentElement;

function panelOf(link) {
  const block = blockOf(link);
  const after = block.matches("p") ? block.nextElementSibling : block.lastElementChild;
  return after?.classList.contains("panel") ? after : null;
}

export function proofOf(panel) {
  return $("a.proof", panel.previousElementSibling?.matches("p") ? panel.previousElementSibling : panel.parentElement);
}

export function placed(link, panel) {
  const block = blockOf(link);
  if (block.matches("p")) block.after(panel);
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
