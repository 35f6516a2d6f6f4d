import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { createCa, createLeaf, startWebServer, zipOf } from "@rad/artifacts/testing";
import type { JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import { databases } from "./support/database.ts";
import type { ServerProcess } from "./support/server-process.ts";

const ca = createCa("mirror authority");

for (const [name, openDatabase] of Object.entries(databases)) {
  it(`${name}: jobs of a killed process are taken up again, in their order, and leave nothing behind`, async () => {
    await using database = await openDatabase();
    const held = Promise.withResolvers<void>();
    const asked: string[] = [];
    await using mirror = await startWebServer(
      ({ url = "" }, response) => {
        asked.push(url);
        const send = (): void => void response.writeHead(200).end(archiveOf(versionIn(url)));
        // The first download never ends: its process is killed in the middle of it.
        void (asked.length === 1 ? held.promise.then(() => response.destroy()) : Promise.resolve().then(send));
      },
      createLeaf("127.0.0.1", ca),
    );
    const root = join(database.folder, "terraform");
    const config = {
      operations: { leaseSeconds: 2 },
      terraform: { installer: { root, defaultSourceUrl: mirror.url, drainSeconds: 0 } },
    };
    const doomed = await database.startServer(config);

    const accepted: JsonObject[] = [];
    for (const version of ["1.5.0", "1.6.0", "1.7.0"]) {
      const source = { checksum: hash("sha256", archiveOf(version)), caBundle: ca.cert };
      const { status, body } = await call(doomed, "POST", "install", { version, source });
      assert.equal(status, 202, JSON.stringify(body));
      accepted.push(body);
    }
    await until("the first download has begun", () => asked.length > 0);
    await doomed.end("SIGKILL");
    held.resolve();
    await using server = await database.startServer(config);
    const status = await until(
      "all jobs have ended",
      async () => {
        const { body } = await call(server, "GET", "status");
        return (body["history"] as JsonObject[]).filter(({ completedAt }) => completedAt !== null).length === 3 && body;
      },
      { timeoutMs: 90_000 },
    );

    const history = (status["history"] as JsonObject[]).toReversed();
    assert.deepEqual(
      history.map(({ operationId, version, state }) => [operationId, version, state]),
      accepted.map(({ operationId, version }) => [operationId, version, "succeeded"]),
    );
    assert.deepEqual([status["state"], status["currentVersion"]], ["ready", "1.7.0"]);
    await until("the oldest version is gone", async () => !(await readdir(root)).includes("1.5.0"));
    const names = (await readdir(root)).filter((entry) => !entry.startsWith("."));
    assert.deepEqual(names.toSorted(), ["1.6.0", "1.7.0", "current", "previous"]);
    await until("nothing temporary is left", async () => {
      const left = await readdir(join(root, ".temporary")).catch(() => []);
      return left.length === 0;
    });
  });
}

async function call(
  server: ServerProcess,
  method: string,
  path: string,
  body?: JsonObject,
): Promise<{ readonly status: number; readonly body: JsonObject }> {
  const response = await fetch(`${server.url}/installer/terraform/${path}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as JsonObject };
}

function versionIn(url: string): string {
  return /\d+\.\d+\.\d+/u.exec(url)?.[0] ?? "";
}

function archiveOf(version: string): Buffer {
  const script = `#!/bin/sh\nif [ "$2" = "-json" ]; then echo '{"terraform_version":"${version}"}'; else echo "Terraform v${version}"; fi\n`;
  return zipOf([["terraform", script, { mode: 0o100755 }]]);
}
