// The stream of events from the server, and the token that opens it.

const kept = "lspine.token";

// takeToken moves the token of the address into the memory of this tab, and returns the one that is there.
export function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    keepToken(given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(kept) ?? "";
}

export function keepToken(token) { sessionStorage.setItem(kept, token); }

// ask sends a request for a path of the page's own server, with the token.
export function ask(path, options = {}) {
  const token = sessionStorage.getItem(kept);
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  return fetch(new URL(path, document.baseURI), { ...options, headers, cache: "no-store", credentials: "omit", redirect: "error" });
}

// follow calls on[event] with the data of each event, and state with what becomes of the connection: "connecting", "live", "lost" or,
// with what the server says, "refused". It connects again until it is refused.
export async function follow(on, state) {
  for (let wait = 1; ; wait = Math.min(2 * wait, 15)) {
    try {
      state("connecting");
      const answer = await ask("ui/events");
      if (answer.status === 401 || answer.status === 403) {
        sessionStorage.removeItem(kept);
        const said = await answer.json().catch(() => ({}));
        return state("refused", said.error ?? `the server says ${answer.status}`);
      }
      if (answer.ok) {
        state("live");
        wait = 0.5;
        await read(answer.body, on);
      }
    } catch (problem) {
      console.info("the stream ended:", problem); // the next one may come
    }
    state("lost");
    await new Promise((done) => setTimeout(done, 1000 * wait));
  }
}

async function read(body, on) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let parts = []; // of what has no end yet: joined once, as an event may be long
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    if (!value.includes("\n")) {
      parts.push(value);
      continue;
    }
    const events = (parts.join("") + value).split("\n\n");
    parts = [events.pop()];
    for (const text of events) {
      const event = /^event: (.*)$/m.exec(text)?.[1];
      const data = /^data: (.*)$/m.exec(text)?.[1];
      if (event && data) on[event]?.(JSON.parse(data));
    }
  }
}
