// What all parts of the page make texts and elements with. Texts of others are set as text, never as HTML.

// seen spells out what of a text is not seen, or would turn what is beside it around.
export const seen = (text) => text.replace(/[^\P{C}\n\t]|[\u2028\u2029\u115f\u1160\u3164\uffa0]/gu, (c) => `\\u${c.codePointAt(0).toString(16).padStart(4, "0")}`);

// el returns an element with attributes and children; children that are strings are text.
export function el(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children.filter((c) => c !== "").map((c) => (typeof c === "string" ? seen(c) : c)));
  return node;
}

export function fill(node, children) { node.replaceChildren(...children); }
export const count = (n, one, many) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
export const clock = (time) => new Date(time).toLocaleTimeString("en-GB");
export const took = (ms) => (ms < 1 ? "< 1 ms" : ms < 1000 ? `${ms} ms` : `${+(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`);
