// Where somebody is: what has the focus and what is seen first stay so, whatever is put in place of what.

import { $, $$ } from "./asking.js";

const quoted = (name, value) => `[${name}="${CSS.escape(value)}"]`;

function sign(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.matches("details[data-key] > summary")) {
    return `details${quoted("data-key", element.parentElement.dataset.key)} > summary`;
  }
  const name = ["href", "formaction", "name"].find((each) => element.hasAttribute(each));
  return name ? `${element.localName}${quoted(name, element.getAttribute(name))}` : element.localName;
}

// The way back to an element, or to the one that stands for it now.
function trail(element) {
  const query = sign(element);
  const nth = $$(query).indexOf(element);
  return () => $$(query)[nth] ?? null;
}

// What is seen first from its beginning; what began above and may itself grow, only where there is no other.
function first(box) {
  const { left, top, width, height } = box.getBoundingClientRect();
  const begin = top + ($(".head", box)?.offsetHeight ?? 0);
  let partly = null;
  for (let y = begin + 4; y < top + height; y += 12) {
    const found = document.elementFromPoint(left + width / 2, y)?.closest(".row, [id]");
    if (!found || found === box || !box.contains(found)) continue;
    if (found.getBoundingClientRect().top >= begin) return found;
    partly ??= found;
  }
  return partly;
}

function scrolled(box) {
  const [seen, before] = [box.scrollTop ? first(box) : null, box.scrollTop];
  if (!seen) return () => { box.scrollTop = before; };
  const [find, top] = [trail(seen), seen.getBoundingClientRect().top];
  return () => {
    box.scrollTop = before;
    const now = find();
    if (now) box.scrollTop += now.getBoundingClientRect().top - top;
  };
}

export function held(box, change) {
  const at = document.activeElement;
  const [back, find] = [scrolled(box), at && at !== document.body ? trail(at) : () => null];
  change();
  // What is put elsewhere loses the focus, though it is the same.
  if (at !== document.activeElement) (at?.isConnected ? at : find())?.focus({ preventScroll: true });
  back();
}
