// The diagnostics by file. Only the rows that are seen are in the document, however many there are.

import { el, count, fill } from "./dom.js";

const severities = ["error", "warning", "info", "hint"];
const names = { error: ["error", "errors"], warning: ["warning", "warnings"], info: ["note", "notes"], hint: ["hint", "hints"] };

const list = document.getElementById("list"), filter = document.getElementById("filter"), detail = document.getElementById("detail");
const none = document.getElementById("none"), group = document.getElementById("severities");

const files = new Map(); // by path
const hidden = new Set(["hint"]), folded = new Set();
const space = el("div", { class: "space", role: "presentation" });
list.append(space);
let rows = [], active = "", known = false, verdict = "";

const counted = (diagnostics) => {
  const of = { error: 0, warning: 0, info: 0, hint: 0 };
  for (const d of diagnostics) of[d.severity]++;
  return of;
};
const inWords = (of) => severities.filter((s) => of[s]).map((s) => count(of[s], ...names[s])).join(", ");
const keyOf = (row) => (row.d ? `${row.file.path}\n${row.d.line}:${row.d.column} ${row.d.message}` : row.file.path);

// change takes over what is new of the diagnostics.
export function change(news) {
  if (news.all) files.clear();
  for (const path of news.gone ?? []) files.delete(path);
  for (const file of news.files ?? []) {
    file.counts = counted(file.diagnostics);
    file.text = file.diagnostics.map((d) => [file.path, d.message, d.code, d.source, d.server].join("\n").toLowerCase());
    files.set(file.path, file);
  }
  known = true;
  verdict = news.verdict;
  arrange();
}

// summary says how much is wrong, in words.
export function summary() {
  const all = totals();
  const broken = [...files.values()].filter((f) => f.counts.error + f.counts.warning).length;
  const words = ["error", "warning"].filter((s) => all[s]).map((s) => count(all[s], ...names[s])).join(", ");
  return words ? `${words} in ${count(broken, "file", "files")}` : "no errors or warnings";
}

function totals() {
  const all = { error: 0, warning: 0, info: 0, hint: 0 };
  for (const file of files.values()) for (const s of severities) all[s] += file.counts[s];
  return all;
}

// arrange decides which rows there are, and draws them.
function arrange() {
  const wanted = filter.value.trim().toLowerCase();
  const sorted = [...files.values()].sort((a, b) => !a.counts.error - !b.counts.error || (a.path < b.path ? -1 : 1));
  rows = [];
  for (const file of sorted) {
    const shown = file.diagnostics.filter((d, i) => !hidden.has(d.severity) && file.text[i].includes(wanted));
    if (!shown.length) continue;
    rows.push({ file, shown: counted(shown) });
    if (!folded.has(file.path)) for (const d of shown) rows.push({ file, d });
  }
  const all = totals();
  fill(group, severities.map((s) => {
    const button = el("button", { type: "button", class: `severity ${s}`, "aria-pressed": String(!hidden.has(s)) }, el("b", {}, String(all[s])), ` ${names[s][all[s] === 1 ? 0 : 1]}`);
    button.addEventListener("click", () => {
      if (!hidden.delete(s)) hidden.add(s);
      arrange();
      group.querySelector(`.${s}`).focus();
    });
    return button;
  }));
  none.hidden = rows.length > 0;
  list.hidden = rows.length === 0;
  none.textContent = !known ? "" : files.size ? "Nothing fits the filter." : verdict === "clean" || verdict === "warnings_only" ? "Nothing is wrong in the files that were judged." : "Nothing is known to be wrong; no server has judged a file completely yet.";
  if (!rows.some((row) => keyOf(row) === active)) active = rows.length ? keyOf(rows[Math.min(1, rows.length - 1)]) : "";
  draw();
  explain();
}

const height = () => 1.875 * parseFloat(getComputedStyle(document.documentElement).fontSize);

// draw puts the rows that are seen into the document.
function draw() {
  const high = height(), seen = [];
  space.style.height = `${rows.length * high}px`;
  const first = Math.max(0, Math.floor(list.scrollTop / high) - 5);
  for (const [i, row] of rows.slice(first, first + Math.ceil(list.clientHeight / high) + 10).entries()) {
    const at = first + i, on = keyOf(row) === active;
    const option = el("div", { role: "option", id: `row-${at}`, class: row.d ? "found" : "file", "aria-selected": String(on), "aria-setsize": rows.length, "aria-posinset": at + 1 },
      ...(row.d
        ? [el("span", { class: `kind ${row.d.severity}` }, row.d.severity), el("span", { class: "place" }, `${row.d.line}:${row.d.column}`), el("span", { class: "message" }, row.d.message)]
        : [el("span", { class: "fold", "aria-hidden": "true" }, folded.has(row.file.path) ? "▸" : "▾"), el("span", { class: "path" }, row.file.path), el("span", { class: "muted" }, inWords(row.shown))]));
    option.style.top = `${at * high}px`;
    option.addEventListener("click", () => { choose(at); if (!row.d) fold(row.file.path); });
    seen.push(option);
    if (on) list.setAttribute("aria-activedescendant", option.id);
  }
  fill(space, seen);
}

// explain shows all of the selected diagnostic.
function explain() {
  const row = rows.find((r) => keyOf(r) === active);
  detail.hidden = !row?.d;
  if (!row?.d) return;
  const { d, file } = row, by = (file.servers ?? []).find((a) => a.server === d.server);
  const stale = by && by.freshness !== "fresh" ? `, ${by.freshness}${by.reason ? `: ${by.reason}` : ""}` : "";
  fill(detail, [
    el("p", { class: "whole" }, d.message),
    el("p", { class: "muted" }, el("span", { class: "path" }, `${file.path}:${d.line}:${d.column}`), ` · ${[d.source !== d.server && d.source, d.code].filter(Boolean).join(" ") || d.severity} · ${d.server}${stale}`),
  ]);
}

function choose(at) {
  if (!rows.length) return;
  at = Math.max(0, Math.min(rows.length - 1, at));
  active = keyOf(rows[at]);
  const high = height(), top = at * high;
  if (top < list.scrollTop) list.scrollTop = top;
  if (top + high > list.scrollTop + list.clientHeight) list.scrollTop = top + high - list.clientHeight;
  draw();
  explain();
}

function fold(path, want = !folded.has(path)) {
  if (want) folded.add(path); else folded.delete(path);
  active = path;
  arrange();
}

list.addEventListener("keydown", (e) => {
  const at = rows.findIndex((row) => keyOf(row) === active), page = Math.max(1, Math.floor(list.clientHeight / height()) - 1);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: rows.length - 1 }[e.key];
  const path = rows[at]?.file.path;
  if (to !== undefined) choose(to);
  else if (e.key === "ArrowLeft" && path) fold(path, true);
  else if (e.key === "ArrowRight" && path && folded.has(path)) fold(path, false);
  else if ((e.key === "Enter" || e.key === " ") && path && !rows[at].d) fold(path);
  else return;
  e.preventDefault();
});
filter.addEventListener("input", () => { list.scrollTop = 0; arrange(); });
filter.addEventListener("keydown", (e) => {
  if (e.key === "Escape" && !filter.value || e.key === "ArrowDown" || e.key === "Enter") {
    e.preventDefault();
    list.focus();
  }
});
document.addEventListener("keydown", (e) => {
  if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || e.target instanceof HTMLInputElement) return;
  e.preventDefault();
  filter.focus();
  filter.select();
});
let waiting = false;
const drawSoon = () => {
  if (!waiting) requestAnimationFrame(() => { waiting = false; draw(); });
  waiting = true;
};
list.addEventListener("scroll", drawSoon, { passive: true });
addEventListener("resize", drawSoon);
arrange();
