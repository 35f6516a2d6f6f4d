/** The one way in which `globalThis.fetch` is used here. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface BoundedFetchOptions {
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Fetches a JSON document of bounded size in bounded time. Redirects are refused: the address was checked, theirs not. */
export async function fetchJson(url: string, options: BoundedFetchOptions): Promise<unknown> {
  const response = await options.fetch(url, {
    headers: { accept: "application/json" },
    redirect: "error",
    signal: AbortSignal.timeout(options.timeoutMs),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the answer had status ${response.status}`);
  }
  return JSON.parse(await readBounded(response, options.maxBytes));
}

async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new Error(`the answer was larger than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
