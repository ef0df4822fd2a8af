// What a page can do beyond its links and forms: the search key, rows that follow, evidence in place,
// changes that appear by themselves, and an editor that loses nothing. Without it every page still works.

import { $ } from "./asking.js";
import "./editor.js";
import "./evidence.js";
import { begin } from "./renewal.js";
import { watch } from "./rows.js";

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

watch();
$("#items [aria-current]")?.scrollIntoView({ block: "nearest" });
begin();
