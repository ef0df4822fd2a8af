// What a page can do beyond its links and forms: the search key, rows that follow, evidence in place,
// changes that appear by themselves, and an editor that loses nothing. Without it every page still works.

const root = document.body.dataset.root;
const every = 3000;
const parser = new DOMParser();
const $ = (query, within = document) => within.querySelector(query);
const say = (text) => { $("#status").textContent = text; };

async function part(address, options = {}) {
  const headers = { "X-Part": "1", ...options.headers };
  const answer = await fetch(address, { credentials: "same-origin", ...options, headers });
  return [answer, parser.parseFromString(await answer.text(), "text/html")];
}

// --- Keys ---------------------------------------------------------------------------------------

const writes = (target) => target.matches("input, textarea, select, [contenteditable]");

document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !writes(event.target)) {
    event.preventDefault();
    document.body.classList.replace("shows-detail", "shows-list");
    $(".search input").focus();
  } else if (event.key === "s" && (event.ctrlKey || event.metaKey) && $("#editor")) {
    event.preventDefault();
    $("#editor").requestSubmit();
  }
});

// --- Rows that follow ---------------------------------------------------------------------------

const depthOf = (row) => Number([...row.classList].find((name) => name.startsWith("depth-"))?.slice(6) ?? 0);

function deeper(list, depth) {
  for (const row of list.querySelectorAll(".row")) {
    row.classList.replace(`depth-${depthOf(row)}`, `depth-${Math.min(depthOf(row) + depth, 6)}`);
  }
}

async function fill(place, into, depth) {
  const address = place.dataset.rest;
  delete place.dataset.rest;
  const [answer, found] = await part(address);
  if (!answer.ok) return;
  const list = $(".rows", found);
  deeper(list, depth);
  into(...list.childNodes);
  watch();
}

document.addEventListener("toggle", (event) => {
  const folder = event.target;
  if (folder instanceof HTMLDetailsElement && folder.open && folder.dataset.rest) {
    const list = $("ul", folder);
    fill(folder, (...rows) => list.replaceChildren(...rows), depthOf($("summary", folder)) + 1);
  }
}, true);

const near = new IntersectionObserver((seen) => {
  for (const each of seen) {
    if (each.isIntersecting && each.target.dataset.rest) more(each.target);
  }
}, { rootMargin: "1200px" });
const more = (place) => fill(place, (...rows) => place.replaceWith(...piece(rows)), depthOf($(".row", place)));

// Rows in one piece: the browser lays out the pieces that are seen, however many there are.
function piece(nodes) {
  const rows = nodes.filter((each) => each instanceof HTMLElement);
  const rest = rows.at(-1)?.classList.contains("more") ? [rows.pop()] : [];
  const [part, list] = [document.createElement("li"), document.createElement("ul")];
  part.className = "chunk";
  part.style.containIntrinsicHeight = `auto ${36 * rows.length}px`;
  list.append(...rows);
  part.append(list);
  return [part, ...rest];
}

const watch = () => { for (const place of document.querySelectorAll(".more[data-rest]")) near.observe(place); };

document.addEventListener("click", (event) => {
  const place = event.target.closest(".more");
  if (place) {
    event.preventDefault();
    if (place.dataset.rest) more(place);
  }
});

// --- Evidence in place --------------------------------------------------------------------------

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a.proof");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const before = link.closest("p");
  const open = before.nextElementSibling?.classList.contains("panel") ? before.nextElementSibling : null;
  link.setAttribute("aria-expanded", String(!open));
  if (open) {
    open.remove();
    return;
  }
  const [answer, found] = await part(link.href);
  if (answer.ok) before.after($(".panel", found));
  else location.assign(link.href);
});

// --- Changes that appear by themselves -----------------------------------------------------------

function opened() {
  return new Map([...document.querySelectorAll("details[data-key]")].map((each) => [each.dataset.key, each.open]));
}

async function renew() {
  const answer = await fetch(location.href, { credentials: "same-origin" });
  if (!answer.ok) return;
  const fresh = parser.parseFromString(await answer.text(), "text/html");
  const [side, main, folders, at] = [$(".side"), $("#content"), opened(), document.activeElement];
  const places = [side.scrollTop, main.scrollTop];
  const focus = at?.id ? `#${CSS.escape(at.id)}` : at?.getAttribute("href") ? `a[href="${CSS.escape(at.getAttribute("href"))}"]` : "";
  for (const each of fresh.querySelectorAll("details[data-key]")) {
    if (folders.has(each.dataset.key)) each.open = folders.get(each.dataset.key);
  }
  if (!$("#items .chunk")) $("#items").replaceWith($("#items", fresh));
  if (!$("#editor") && !$(".panel", main)) main.replaceChildren(...$("#content", fresh).childNodes);
  else say("Memory has changed. What is open here stays as it is.");
  [side.scrollTop, main.scrollTop] = places;
  if (focus && document.activeElement === document.body) $(focus)?.focus();
  document.body.dataset.revision = fresh.body.dataset.revision;
  watch();
}

async function look() {
  try {
    if (document.visibilityState === "visible") {
      const answer = await fetch(`${root}/revision`, { credentials: "same-origin" });
      if (answer.ok) {
        const { revision } = await answer.json();
        if (revision !== document.body.dataset.revision) await renew();
      }
    }
  } catch {
    say("The server does not answer; it is asked again.");
  }
  setTimeout(look, every);
}

// --- The editor -----------------------------------------------------------------------------------

let saved = $("#editor textarea")?.value;
let saving = false;

function numbered(form) {
  const [gutter, count] = [$(".gutter", form), $("textarea", form).value.split("\n").length];
  while (gutter.children.length > count) gutter.lastElementChild.remove();
  while (gutter.children.length < count) {
    const line = document.createElement("li");
    line.id = `line-${gutter.children.length + 1}`;
    line.textContent = gutter.children.length + 1;
    gutter.append(line);
  }
}

const fields = (form, more = {}) => new URLSearchParams({ ...Object.fromEntries(new FormData(form)), ...more });

async function together(form, sent, mine, text) {
  const body = fields(form, { path: form.dataset.path, sent, mine, saved: text, text: "" });
  const answer = await fetch(`${root}/merge`, { method: "POST", body, credentials: "same-origin" });
  return answer.ok ? (await answer.json()).text : null;
}

async function save(form) {
  const [area, base] = [$("textarea", form), form.elements.base];
  const sent = area.value;
  const [answer, found] = await part(form.action, { method: "POST", body: fields(form) });
  const back = $("#editor", found);
  if (!back) {
    say("It could not be saved; your draft is still here.");
    return;
  }
  const [outcome, text, typed] = [back.dataset.outcome, $("textarea", back).value, area.value !== sent];
  const done = outcome === "saved" || outcome === "unchanged";
  const caret = [area.selectionStart, area.selectionEnd];
  if (typed && done) {
    const both = await together(form, sent, area.value, text);
    if (both === null) {
      say("Saved. What you typed meanwhile is kept, and meets what was saved when you save again.");
      return;
    }
    area.value = both;
    area.setSelectionRange(...caret);
  } else if (!typed && area.value !== text) {
    area.value = text;
    area.setSelectionRange(...caret);
  }
  if (!typed || done) base.value = $("[name=base]", back).value;
  if (done) saved = text;
  for (const name of [".editor-actions", ".editor-notes", ".gutter"]) $(name, form).replaceWith($(name, back));
  form.dataset.outcome = outcome;
  numbered(form);
  $(".notice a[href^='#line-'], .notice", form)?.scrollIntoView({ block: "nearest" });
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.id !== "editor") return;
  event.preventDefault();
  if (saving) return;
  saving = true;
  $(".outcome", form).textContent = "Saving…";
  try {
    await save(form);
  } catch {
    say("The server does not answer; your draft is still here.");
  } finally {
    saving = false;
  }
});

document.addEventListener("input", (event) => {
  const form = event.target.closest("#editor");
  if (form && event.target.matches("textarea")) numbered(form);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("#editor a[href^='#line-']");
  if (!link) return;
  event.preventDefault();
  const [area, line] = [$("#editor textarea"), Number(link.hash.slice(6))];
  const lines = area.value.split("\n");
  const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  $(`#line-${line}`)?.scrollIntoView({ block: "center" });
});

addEventListener("beforeunload", (event) => {
  const area = $("#editor textarea");
  if (area && area.value !== saved) event.preventDefault();
});

// --- Begin ----------------------------------------------------------------------------------------

$("#items [aria-current]")?.scrollIntoView({ block: "nearest" });
watch();
setTimeout(look, every);
