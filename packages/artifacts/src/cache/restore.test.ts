import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Compilation, createMemoryHost } from "@rad/bicep";
import { createNetwork, fetchBytes } from "../download/index.ts";
import { createRegistryClient } from "../oci/registry-client.ts";
import { restoreArtifacts } from "./restore.ts";

/** A registry that takes requests and leaves them without an answer, or without the end of one. */
async function startHangingRegistry(answer: "nothing" | "half") {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    if (answer === "half") {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("{");
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    requests: () => requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

for (const answer of ["nothing", "half"] as const) {
  test(`a registry that sends ${answer} is given up after the time-out, and not asked for the rest`, async () => {
    const cacheFolder = await mkdtemp(join(tmpdir(), "rad-restore-test-"));
    await using registry = await startHangingRegistry(answer);
    const source = ["a", "b", "c"].map((name) => `module ${name} 'br:${registry.host}/${name}:v1' = {}\n`).join("");
    const host = createMemoryHost({ files: new Map([["/app.bicep", source]]) });
    const { signal } = new AbortController();
    const network = createNetwork({ addresses: "loopback" });
    const client = createRegistryClient({
      fetch: (request) => fetchBytes(network, request),
      credentials: () => Promise.resolve(undefined),
      signal,
      timeoutMs: 1_000, // long enough for the first request to arrive on a busy machine
    });

    const outcomes = await restoreArtifacts(new Compilation({ host }).artifacts("/app.bicep"), {
      client,
      cacheFolder,
      signal,
    });
    await rm(cacheFolder, { recursive: true });

    assert.deepEqual(
      outcomes.map(({ outcome, error }) => [outcome, error?.code]),
      Array.from({ length: 3 }, () => ["failed", "RegistryUnreachable"]),
    );
    assert.equal(registry.requests(), 1);
  });
}
