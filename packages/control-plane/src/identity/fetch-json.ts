import { createNetwork, fetchBytes } from "@rad/artifacts/download";

/** Fetches a JSON document that an issuer publishes. @throws Error that says why it cannot be had */
export type FetchJson = (url: string) => Promise<unknown>;

const limits = { totalMs: 5000, maxBytes: 524_288 };

/** Redirects are refused: the address was checked, theirs not. */
export async function fetchJson(url: string): Promise<unknown> {
  const network = createNetwork({ addresses: "loopback" });
  const { status, bytes } = await fetchBytes(network, { url, headers: { accept: "application/json" }, ...limits });
  if (status !== 200) {
    throw new Error(`the answer had status ${status}`);
  }
  return JSON.parse(new TextDecoder().decode(bytes));
}
