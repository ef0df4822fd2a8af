// The editor: what is typed is never lost, whatever is saved, refused or changed meanwhile.

import { $, part, root, say } from "./asking.js";

// A browser may put an older draft back into a page that is opened again.
let saved = $("#editor textarea")?.defaultValue;
let saving = false;

// Whether something stands in the editor that was not saved, or is being saved.
export function drafted() {
  const area = $("#editor textarea");
  return saving || Boolean(area && area.value !== saved);
}

// An editor without a draft takes what is in memory now; one that holds it already stays as it is.
export function renewed(fresh, change) {
  const [area, now] = [$("#editor textarea"), $("#editor textarea", fresh)];
  if (area && now && area.value === now.value) {
    $("#editor").elements.base.value = $("#editor [name=base]", fresh).value;
    return;
  }
  const caret = area && [area.selectionStart, area.selectionEnd];
  change();
  saved = $("#editor textarea")?.defaultValue;
  if (caret) $("#editor textarea")?.setSelectionRange(...caret);
}

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
  if (drafted()) event.preventDefault();
});
