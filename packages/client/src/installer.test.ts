import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@rad/core";
import { createClient } from "./create-client.ts";
import { startTestServer } from "./testing/index.ts";

async function answering(status: number, body: JsonObject, headers: Record<string, string> = {}) {
  const server = await startTestServer({
    intercept: (_, response) => {
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
      return true;
    },
  });
  return { server, installer: createClient({ endpoint: server.url }).installer };
}

/** The sample of the design, as it is printed there. */
const sample = {
  currentVersion: "1.6.4",
  state: "ready",
  binaryPath: "/mnt/radius-terraform/1.6.4/terraform",
  installedAt: "2025-10-10T10:30:00Z",
  source: {
    url: "https://releases.hashicorp.com/terraform/1.6.4/terraform_1.6.4_linux_amd64.zip",
    checksum: "sha256:abc123...",
  },
  queue: { pending: 0, inProgress: null },
  history: [
    {
      version: "1.6.4",
      operation: "install",
      state: "succeeded",
      startedAt: "2025-10-10T10:29:00Z",
      completedAt: "2025-10-10T10:30:00Z",
    },
  ],
};

test("an install sends what is asked for, and reads the job", async () => {
  const { server, installer } = await answering(202, {
    operation: "install",
    product: "opentofu",
    version: "1.10.10",
    status: "queued",
    operationId: "op-1",
    ahead: 2,
    warning: "not verified",
  });
  await using _ = server;
  const request = { product: "opentofu", version: "1.10.10", source: { checksum: "ab" } } as const;

  const { body: sent, ...answer } = await installer.install(request);

  assert.deepEqual(
    server.requests.map(({ method, path, body }) => ({ method, path, body })),
    [{ method: "POST", path: "/installer/terraform/install", body: request }],
  );
  assert.equal(sent["operationId"], "op-1");
  assert.deepEqual(answer, {
    product: "opentofu",
    version: "1.10.10",
    status: "queued",
    operationId: "op-1",
    ahead: 2,
    isJoined: false,
    installedAt: undefined,
    warnings: ["not verified"],
  });
});

test("the status of the design's sample is read, and kept as it came", async () => {
  const { server, installer } = await answering(200, sample);
  await using _ = server;

  const { body, history, ...status } = await installer.status();

  assert.deepEqual(body, sample);
  assert.deepEqual(status, {
    state: "ready",
    product: "terraform",
    currentVersion: "1.6.4",
    installedAt: "2025-10-10T10:30:00Z",
    health: undefined,
    lastError: undefined,
    lastUpdated: undefined,
    pending: 0,
    inProgress: undefined,
  });
  assert.deepEqual(history, [
    {
      operationId: undefined,
      operation: "install",
      product: "terraform",
      version: "1.6.4",
      state: "succeeded",
      startedAt: "2025-10-10T10:29:00Z",
      completedAt: "2025-10-10T10:30:00Z",
      error: undefined,
    },
  ]);
});

test("the job that runs says how much of the archive is there", async () => {
  const inProgress = { operation: "install", version: null, startedAt: "2025-10-10T10:29:00Z", operationId: "op-2" };
  const { server, installer } = await answering(200, {
    ...sample,
    state: "installing",
    queue: { pending: 3, inProgress: { ...inProgress, step: "download", bytes: 10, totalBytes: null } },
  });
  await using _ = server;

  const status = await installer.status();

  assert.equal(status.pending, 3);
  assert.deepEqual(status.inProgress, {
    operationId: "op-2",
    operation: "install",
    product: "terraform",
    version: undefined,
    startedAt: "2025-10-10T10:29:00Z",
    step: "download",
    bytes: 10,
    totalBytes: undefined,
  });
});

for (const [name, body] of [
  ["another status", { status: "enqueued", operationId: "op-1" }],
  ["a job without an id", { status: "started", version: "1.6.4" }],
] as const) {
  test(`an answer with ${name} is refused`, async () => {
    const { server, installer } = await answering(202, body);
    await using _ = server;

    await assert.rejects(installer.uninstall(), { code: "UnexpectedResponse" });
  });
}

test("a status without a state is refused", async () => {
  const { server, installer } = await answering(200, { currentVersion: "1.6.4" });
  await using _ = server;

  await assert.rejects(installer.status(), { code: "UnexpectedResponse" });
});
