// Requests to the server, and the long polls that keep the page up to date.

const BASE = "/api/v1";
/** Whole seconds for which a poll hangs. */
const WAIT_S = 25;
/** A poll that takes longer has lost its server. */
const POLL_TIMEOUT_MS = (WAIT_S + 10) * 1000;
const REQUEST_TIMEOUT_MS = 15000;
/** The first and the longest wait after a failure. */
const RETRY_MS = [500, 8000];
/** The shortest time between two polls. */
const PAUSE_MS = 200;
/** A poll that ends sooner without news was ended by the poll of another tab, which has to get its turn too. */
const ENDED_EARLY_MS = 1000;
/** The shortest time from then to the next poll. */
const SHARED_PAUSE_MS = 4000;

/** An answer that is no success; `code` says what it is, the message is for people. */
export class Problem extends Error {
  constructor(body, status) {
    super(body.detail ?? `the server answered ${status}`);
    this.code = body.code ?? "unknown";
    this.status = status;
    this.body = body;
  }
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function send(method, path, { body, headers = {}, timeout = REQUEST_TIMEOUT_MS, signal } = {}) {
  const signals = [AbortSignal.timeout(timeout), signal].filter(Boolean);
  const options = { method, headers: { ...headers }, signal: AbortSignal.any(signals), cache: "no-store" };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const response = await fetch(`${BASE}${path}`, options);
  if (response.ok || response.status === 304) return response;
  const problem = await response.json().catch(() => ({}));
  throw new Problem(problem, response.status);
}

async function read(response) {
  return response.status === 204 ? null : response.json();
}

/** Reads a resource. */
export const get = async (path) => read(await send("GET", path));
/** Posts, with a body if there is one. */
export const post = async (path, body) => read(await send("POST", path, { body }));
/** Puts a body. */
export const put = async (path, body) => read(await send("PUT", path, { body }));
/** Deletes a resource. */
export const remove = async (path) => read(await send("DELETE", path));

/**
 * Follows a resource by long polls until `seen` returns true or it is gone. `seen` gets each new state; `lost` is told
 * the reason when the server does not answer, and null when it answers again.
 */
export async function follow(path, { seen, lost, signal }) {
  let etag = null;
  let failures = 0;
  while (!signal?.aborted) {
    try {
      const headers = etag ? { "If-None-Match": etag } : {};
      const begun = performance.now();
      const query = etag ? `${path.includes("?") ? "&" : "?"}wait=${WAIT_S}` : "";
      const response = await send("GET", path + query, { headers, timeout: POLL_TIMEOUT_MS, signal });
      if (failures > 0) lost(null);
      failures = 0;
      if (response.status !== 304) {
        etag = response.headers.get("ETag");
        if (seen(await response.json())) return;
      }
      const isEndedEarly = response.status === 304 && performance.now() - begun < ENDED_EARLY_MS;
      await sleep(isEndedEarly ? SHARED_PAUSE_MS * (1 + Math.random() / 2) : PAUSE_MS);
    } catch (error) {
      if (signal?.aborted) return;
      failures += 1;
      lost(error);
      if (error instanceof Problem && [401, 403, 404].includes(error.status)) return;
      const wait = Math.min(RETRY_MS[0] * 2 ** (failures - 1), RETRY_MS[1]);
      await sleep(wait * (0.5 + Math.random() / 2));
    }
  }
}
