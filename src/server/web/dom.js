// Small helpers for making elements. Text only ever becomes text nodes, so nothing that a player wrote is read as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element; `on` holds listeners. */
export const html = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

/** An SVG element. */
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/** The element of the document with this identifier. */
export const byId = (id) => document.getElementById(id);

/** Sets the text of an element only if it differs, so that screen readers hear changes only. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Keeps what the visitor chose on this machine; without storage, until the page is left. */
export const settings = {
  get(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(key, value);
    } catch {
      // Some browsers forbid it; nothing depends on it.
    }
  },
};
