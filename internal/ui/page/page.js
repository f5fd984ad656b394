// The page: what each event shows.

import { el, count, clock, fill, seen } from "./dom.js";
import { change, summary } from "./list.js";
import { drawCharts } from "./chart.js";
import { follow, takeToken, keepToken, ask } from "./stream.js";


const by = (id) => document.getElementById(id);
const shows = { active: "●", starting: "◐", broken: "✕", stopped: "○", disabled: "○", unavailable: "○", untrusted: "○" };

// say has a screen reader say something when nothing else is said, and not more often than it can be heard.
let due = 0, last = "";
function say(text) {
  if (text === last) return;
  last = text;
  clearTimeout(due);
  due = setTimeout(() => { by("said").textContent = seen(text); }, 700);
}

function lasting(ms) {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 1 ? "< 1 min" : minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

let servers = [], root = "", crashes = new Map();

function drawServers() {
  const order = { broken: 0, starting: 1, active: 2 };
  const sorted = [...servers].sort((a, b) => (order[a.state] ?? 3) - (order[b.state] ?? 3) || (a.id < b.id ? -1 : 1));
  fill(by("server-list"), sorted.length ? sorted.map((s) => {
    const working = (s.works ?? []).length > 0;
    const state = s.state === "active" && working ? "working" : s.state;
    const facts = [
      s.version && s.version.split("\n")[0].replace(/^v?(?=\d)/, "version "), s.uptime_ms && `up ${lasting(s.uptime_ms)}`, s.memory && `${Math.round(s.memory / 2 ** 20)} MiB`,
      s.open_documents && count(s.open_documents, "open file", "open files"), s.starts > 1 && `${s.starts - 1} × restarted`,
    ].filter(Boolean).join(" · ");
    const place = s.root && s.root !== root ? s.root.startsWith(root + "/") ? s.root.slice(root.length + 1) : s.root : "";
    return el("li", { class: `server ${state}`, "data-id": s.id },
      el("p", {}, el("span", { class: "mark", "aria-hidden": "true" }, shows[s.state] ?? "○"), el("b", {}, s.id), " ", el("span", { class: "state" }, state), place ? el("span", { class: "path muted" }, ` ${place}`) : "",
        s.crashes ? el("span", { class: "error" }, ` · ${count(s.crashes, "crash", "crashes")}`) : ""),
      facts ? el("p", { class: "muted" }, facts) : "",
      ...(s.works ?? []).map((w) => el("p", { class: "work" }, w)),
      s.reason ? el("p", { class: "reason" }, s.reason) : "", s.hint ? el("p", { class: "muted" }, s.hint) : "");
  }) : [el("li", { class: "muted" }, "No server fits the files of this workspace.")]);
}

const ended = []; // sessions that are no more, the newest first
let sessions = new Map();

function drawSessions(now) {
  const next = new Map(now.sessions.map((s) => [s.number, s]));
  for (const [number, s] of sessions) if (!next.has(number)) ended.unshift({ ...s, ended: new Date().toISOString() });
  ended.length = Math.min(ended.length, 5);
  sessions = next;
  const held = (number) => (now.simulations ?? []).filter((s) => s.holder === number).map((s) => {
    const changes = (s.changes ?? []).map((c) => c.path).join(", ");
    return el("p", { class: "simulation" }, `simulation ${s.session}: ${s.status}, ${count(s.steps ?? 0, "edit", "edits")}${changes ? ` of ${changes}` : ""}${s.label ? ` (${s.label})` : ""}`);
  });
  const item = (s) => el("li", { class: s.ended ? "session ended" : "session", "data-number": s.number },
    el("p", {}, el("b", {}, s.client || "without a name"), s.ended ? ` ended ${clock(s.ended)}` : s.running ? el("span", { class: "state" }, ` ${s.operation} in progress`) : ""),
    el("p", { class: "muted" }, `${count(s.calls, "call", "calls")} since ${clock(s.began)} · last ${s.operation} ${clock(s.last)}`), ...(s.ended ? [] : held(s.number)));
  const all = [...now.sessions].reverse().concat(ended).map(item);
  fill(by("session-list"), all.length ? all : [el("li", { class: "muted" }, "Nobody works with this workspace.")]);
}

function addRecords(news) {
  by("trail-box").hidden = false;
  by("trail").prepend(...news.records.toReversed().map((r) => el("tr", { class: r.event === "lsp_query_batch" ? "query" : "" }, el("td", {}, clock(r.time)), el("td", {}, r.event.replaceAll("_", " ")), el("td", {}, r.client ?? ""), el("td", { class: "what" }, r.text))));
  while (by("trail").rows.length > 200) by("trail").deleteRow(-1);
}

function showVerified(v) {
  by("verified").hidden = false;
  const broken = (v.problems ?? []).length > 0;
  by("verified").className = broken ? "broken" : v.too_long ? "" : "whole";
  by("verified-text").textContent = v.too_long ? "The log is long and was not checked."
    : broken ? `Not as it was written: ${seen(v.problems.join("; "))}`
      : `The chain is whole: ${count(v.records, "record", "records")}${v.last === v.records ? "" : ` up to ${v.last}`}, checked at ${clock(v.checked)}.`;
  const notes = v.notes ?? [];
  by("notes").hidden = !notes.length;
  fill(by("notes"), [el("summary", {}, count(notes.length, "note", "notes")), ...notes.map((n) => el("p", { class: "muted" }, n))]);
}

by("queries").addEventListener("click", () => {
  const shown = by("queries").getAttribute("aria-pressed") === "true";
  by("queries").setAttribute("aria-pressed", String(!shown));
  by("trail").classList.toggle("quiet", shown);
});

by("verify").addEventListener("click", async () => {
  by("verify").disabled = true;
  const answer = await ask("ui/verify", { method: "POST" }).catch(() => null);
  if (answer?.ok) showVerified(await answer.json());
  else trouble("evidence", "The evidence could not be checked.");
  by("verify").disabled = false;
  by("verify").focus();
  say(by("verified-text").textContent);
});

function trouble(part, text) {
  const note = by(`trouble-${part}`);
  if (!note) return;
  note.textContent = seen(text);
  note.hidden = !text;
}

const on = {
  hello(h) {
    root = h.root;
    const name = h.root.split(/[\\/]/).filter(Boolean).pop() ?? h.root;
    by("project").textContent = seen(name);
    by("root").textContent = seen(h.root);
    document.title = `${seen(name)} – LSPine`;
    for (const part of ["files", "diagnostics", "servers", "sessions"]) trouble(part, "");
    trouble("evidence", h.untold ? `Not shown: ${h.untold}.` : "");
    fill(by("trail"), []);
    sessions = new Map();
  },
  servers(status) {
    servers = status.servers;
    for (const s of servers) {
      const key = `${s.id} ${s.root ?? ""}`;
      if ((s.crashes ?? 0) > (crashes.get(key) ?? 0)) say(`${s.id} crashed`);
      crashes.set(key, s.crashes ?? 0);
    }
    trouble("servers", [status.disabled ? "Everything is switched off by configuration." : "", ...(status.problems ?? [])].filter(Boolean).join(" "));
    drawServers();
    drawCharts(servers);
  },
  works(list) {
    for (const s of servers) {
      const of = (list ?? []).find((w) => w.id === s.id && w.root === s.root);
      s.works = of?.works;
      if (of) s.state = of.state;
    }
    drawServers();
  },
  diagnostics(news) {
    change(news);
    trouble("diagnostics", (news.unknown ?? []).join("; "));
    say(summary());
  },
  sessions: drawSessions,
  evidence: addRecords,
  verified: showVerified,
  trouble(t) {
    trouble(t.part, `${t.message}${t.hint ? ` – ${t.hint}` : ""}`);
  },
};

const states = { connecting: "connecting", live: "live", lost: "connection lost, trying again", refused: "not let in" };

function start() {
  follow(on, (state, why) => {
    by("live").className = state;
    by("live-text").textContent = states[state];
    document.body.classList.toggle("stale", state !== "live");
    by("key").hidden = state !== "refused";
    if (state === "refused") {
      by("key-note").textContent = `The server says: ${why}. \`lspine ui\` prints an address with a token; for another server, it is the token of that server.`;
      by("token").focus();
    }
    if (state !== "connecting") say(states[state]);
  });
}

by("key").addEventListener("submit", (e) => {
  e.preventDefault();
  keepToken(by("token").value.trim());
  by("token").value = "";
  start();
});
addEventListener("hashchange", () => { if (location.hash.includes("token=")) { takeToken(); location.reload(); } });
takeToken();
start();
