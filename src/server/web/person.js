// Who the visitor is: a name and a session in a cookie that scripts cannot read.

import { get, post, remove } from "./api.js";
import { byId, html } from "./dom.js";

/** The visitor's account, or null. */
export async function whoAmI() {
  return (await get("/me/session")).account;
}

/** Takes a name. */
export const takeName = (name) => post("/people", { name });

/** Shows who the visitor is, in the head of the page. */
export function showPerson(me) {
  if (!me) {
    byId("person").replaceChildren();
    return;
  }
  const leave = html("button", { type: "button", class: "quiet", on: { click: () => signOut(me) } }, "Sign out");
  byId("person").replaceChildren(html("span", {}, "You are ", html("strong", {}, me.name)), leave);
}

async function signOut(me) {
  const isSure = confirm(`Sign out? If you have played as ${me.name}, the name cannot be used again.`);
  if (!isSure) return;
  await remove("/me/session");
  location.assign("/");
}
