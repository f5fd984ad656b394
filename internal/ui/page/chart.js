// How long the answers of each server took, and which were not complete.

import { el, clock, took, count, fill } from "./dom.js";

const charts = document.getElementById("charts");
const wide = 320, high = 72, left = 40, most = 60_000;

function svg(name, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

// On a scale of powers of ten: what takes a minute leaves room for what takes 10 ms.
const range = (samples) => [10, 10 ** Math.ceil(Math.log10(Math.max(1000, ...samples.map((s) => Math.min(s.took_ms, most)))))];

function chart(server, samples) {
  const [low, top] = range(samples);
  const y = (ms) => 5 + (high - 10) * (1 - Math.log(Math.max(low / 2, Math.min(ms, top)) / (low / 2)) / Math.log(top / (low / 2)));
  const begin = Date.parse(samples[0].time), span = Math.max(60_000, Date.now() - begin);
  const x = (time) => left + 4 + ((wide - left - 10) * (Date.parse(time) - begin)) / span;
  const lines = [];
  for (let ms = low; ms <= top; ms *= 10) {
    lines.push(svg("line", { class: "grid", x1: left, x2: wide, y1: y(ms), y2: y(ms) }), svg("text", { class: "tick", x: left - 5, y: y(ms) + 3.5, "text-anchor": "end" }, took(ms)));
  }
  const dots = samples.map((s) => {
    const at = { x: x(s.time), y: y(s.took_ms) };
    return s.freshness === "fresh" ? svg("circle", { class: "fresh", cx: at.x, cy: at.y, r: 2.2 })
      : svg("path", { class: "late", d: `M${at.x - 3} ${at.y - 3}l6 6m0-6l-6 6` });
  });
  const f = server.figures, late = samples.filter((s) => s.freshness !== "fresh").length;
  const said = `${server.id}: half of the answers within ${took(f.median_ms)}, 95 % within ${took(f.slow_ms)}`;
  return el("figure", {},
    el("figcaption", {}, el("b", {}, server.id), ` median ${took(f.median_ms)}, 95 % within ${took(f.slow_ms)}`, late ? el("span", { class: "warning" }, ` · ${late} of ${samples.length} not complete`) : ""),
    svg("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": `${said}; ${late} of the last ${count(samples.length, "answer", "answers")} not complete` }, ...lines, ...dots),
    el("p", { class: "axis muted", "aria-hidden": "true" }, el("span", {}, clock(samples[0].time)), el("span", {}, "now")));
}

function table(server, samples) {
  return el("table", {}, el("thead", {}, el("tr", {}, ...["Time", "Took", "Answer"].map((t) => el("th", { scope: "col" }, t)))),
    el("tbody", {}, ...samples.slice(-20).reverse().map((s) => el("tr", {}, el("td", {}, clock(s.time)), el("td", {}, took(s.took_ms)), el("td", {}, s.freshness === "fresh" ? "complete" : s.freshness)))));
}

// drawCharts draws a chart and its table for each server that was measured.
export function drawCharts(servers) {
  const open = new Set([...charts.querySelectorAll("details[open]")].map((d) => d.dataset.of));
  const measured = servers.filter((s) => s.figures?.recent?.length);
  fill(charts, measured.length ? measured.flatMap((server) => {
    const of = `${server.id} ${server.root ?? ""}`, samples = server.figures.recent;
    const details = el("details", { "data-of": of }, el("summary", {}, `The last answers of ${server.id} as a table`), table(server, samples));
    details.open = open.has(of);
    return [chart(server, samples), details];
  }) : [el("p", { class: "muted" }, "No server was asked about a file yet.")]);
}
