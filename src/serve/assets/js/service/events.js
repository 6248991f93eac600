// Work that the service does for a while, with its progress: server-sent events over a request with a body.

import { ApiError } from "./api.js";

/** Splits a stream of events into `[name, value]`. */
async function* events(body) {
  let rest = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const [name, data] = part.split("\n");
      yield [name.replace("event: ", ""), JSON.parse(data.replace("data: ", ""))];
    }
  }
}

/** Asks for work, calls `onProgress(value)` meanwhile, and gives its end. Aborting the signal ends the work. */
export async function work(path, value, { signal, onProgress }) {
  const headers = { "accept": "text/event-stream", "content-type": "application/json" };
  let response;
  try {
    response = await fetch(path, { method: "POST", body: JSON.stringify(value), signal, headers });
    if (response.ok) {
      for await (const [name, data] of events(response.body)) {
        if (name === "progress") onProgress(data);
        else if (name === "error") throw new ApiError(data.error, data.code, 200, data);
        else return data;
      }
    }
  } catch (error) {
    if (error.name === "AbortError" || error instanceof ApiError) throw error;
  }
  const body = await response?.json().catch(() => null);
  throw new ApiError(body?.error ?? "", body?.code ?? "offline", response?.status ?? 0, body, 1);
}
