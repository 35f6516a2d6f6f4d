import assert from "node:assert/strict";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { after, test } from "node:test";
import { inspect } from "node:util";
import { fetchBytes } from "./fetch-bytes.ts";
import { createNetwork } from "./network.ts";
import type { NetworkOptions } from "./network.ts";

/** Takes connections and says nothing. */
const sockets = new Set<Socket>();
const silent = createServer((socket) => sockets.add(socket.on("error", () => {})));
await new Promise<void>((resolve) => {
  silent.listen(0, "127.0.0.1", resolve);
});
after(() => {
  sockets.forEach((socket) => socket.destroy());
  silent.close();
});
const host = `127.0.0.1:${(silent.address() as AddressInfo).port}`;

const places: readonly (readonly [what: string, url: string, options: Partial<NetworkOptions>])[] = [
  ["a name is looked up", "https://name.example/", { resolve: () => {} }],
  ["a server is greeted", `https://${host}/`, {}],
  ["a proxy is asked for a way", "https://name.example/", { proxy: { url: `http://${host}` } }],
];

for (const [what, url, options] of places) {
  test(`time is limited and the caller may give up while ${what}`, async () => {
    const network = createNetwork({ addresses: "loopback", ...options });
    const controller = new AbortController();
    const given = new Error("given up");
    const request = { url, maxBytes: 1, totalMs: 60_000, signal: controller.signal };

    await assert.rejects(fetchBytes(network, { ...request, totalMs: 50 }), { code: "TimedOut" });
    await assert.rejects(fetchBytes(network, { ...request, idleMs: 50 }), { code: "TimedOut" });
    setTimeout(() => controller.abort(given), 50);
    await assert.rejects(fetchBytes(network, request), given);
  });
}

test("a proxy whose password cannot be read is refused without it", async () => {
  const network = createNetwork({ addresses: "loopback", proxy: { url: "http://ann:canary%zz@127.0.0.1:1" } });

  await assert.rejects(fetchBytes(network, { url: "https://name.example/", maxBytes: 1, totalMs: 1000 }), (error) => {
    assert.doesNotMatch(inspect(error, { depth: 10 }), /canary/u);
    return (error as { code?: string }).code === "InvalidProxy";
  });
});
