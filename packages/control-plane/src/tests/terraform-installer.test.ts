// The routes of the Terraform installer, through a whole server, with a mirror that serves a small stand-in.
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { createCa, createLeaf, startWebServer, type WebServer, zipOf } from "@rad/artifacts/testing";
import type { JsonObject, JsonValue } from "@rad/core";
import { until } from "@rad/core/testing";
import type { ModuleFactory } from "@rad/modules";
import { createBinaryVolume, ExecutionLeases, InstallerRecords } from "@rad/terraform";
import { findInFiles } from "../testing/find-in-files.ts";
import { assign, configuredTokens, createIdentity } from "../testing/identities.ts";
import { type Reply, startTestServer, type TestServer } from "../testing/test-server.ts";
import { auditText } from "./support/audit.ts";

const ca = createCa("mirror authority");
const archive = zipOf([["terraform", standIn("1.6.4"), { mode: 0o100755 }]]);
const checksum = hash("sha256", archive);
const [operator, viewer, nobody] = [createIdentity("operator"), createIdentity("viewer"), createIdentity("nobody")];
const place = "/installer/terraform";

let mirror: WebServer;
let server: TestServer;
let folder: string;
let leases: ExecutionLeases;
/** Of the mirror: what was asked for, with whose credentials. */
const requests: string[] = [];

/** Borrows the binary as recipes will. */
const executions: ModuleFactory = {
  name: "executions",
  create: ({ store, clock, log }) => {
    const volume = createBinaryVolume({ root: join(folder, "terraform"), clock });
    leases = new ExecutionLeases({
      store,
      clock,
      log,
      volume,
      records: new InstallerRecords(store, clock),
      leaseMs: 5_000,
    });
    return { [Symbol.asyncDispose]: async () => leases[Symbol.dispose]() };
  },
};

before(async () => {
  mirror = await startWebServer(
    ({ url = "", headers }, response) => {
      requests.push(`${url} ${headers.authorization ?? ""}`);
      const isThere = url.startsWith("/terraform");
      response.writeHead(isThere ? 200 : 404).end(isThere ? archive : "not here");
    },
    createLeaf("127.0.0.1", ca),
  );
  folder = await mkdtemp(join(tmpdir(), "radius-installer-"));
  server = await startInstaller();
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await mirror[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

it("permissions: writing needs write, the status needs read, and a refusal names what is missing", async () => {
  const calls = [
    ["POST", `${place}/install`, "write"],
    ["POST", `${place}/uninstall`, "write"],
    ["GET", `${place}/status`, "read"],
    ["GET", `${place}/binaries/${checksum}`, "read"],
  ] as const;
  for (const [method, path, verb] of calls) {
    const anonymous = await server.call(method, path, { token: null });
    const refused = await server.call(method, path, { token: nobody.token });
    const read = await server.call(method, path, { token: viewer.token });

    assert.equal(anonymous.status, 401, path);
    assert.deepEqual([refused.status, refused.code], [403, "Forbidden"], path);
    assert.match(refused.text, new RegExp(`Radius.Core/installer/${verb}`));
    assert.equal(read.status === 403, verb === "write", `${path}: ${read.text}`);
  }
});

it("nothing is installed at first, below both base paths, with or without an api-version", async () => {
  const paths = [
    `${place}/status`,
    `${place}/status?api-version=2025-08-01-preview`,
    `/apis/api.ucp.dev/v1alpha3${place}/status`,
  ];
  for (const path of paths) {
    const { status, body } = await server.call("GET", path);

    assert.equal(status, 200, path);
    const { currentVersion, state, binaryPath, installedAt, source, queue, history } = body;
    assert.deepEqual(
      { currentVersion, state, binaryPath, installedAt, source, queue, history },
      {
        currentVersion: null,
        state: "not-installed",
        binaryPath: null,
        installedAt: null,
        source: null,
        queue: { pending: 0, inProgress: null },
        history: [],
      },
    );
  }
  const uninstall = await server.call("POST", `${place}/uninstall`);
  assert.deepEqual([uninstall.status, uninstall.code], [404, "NotFound"]);
  assert.match(uninstall.text, /Terraform is not installed/);
});

it("bad requests are refused with the reason, and leave only their audit record", async () => {
  const bad: readonly (readonly [unknown, RegExp])[] = [
    ["{", /JSON/],
    [[], /must be an object/],
    [{ version: "v1.6.4" }, /version must look like/],
    [{ source: { url: "http://mirror/terraform.zip" } }, /https/],
    [{ source: { checksum: "12" } }, /64 hexadecimal/],
    [{ source: { caBundle: "none" } }, /certificate/],
    [{ extra: 1 }, /unknown member/],
  ];
  for (const [body, message] of bad) {
    const reply = await server.call("POST", `${place}/install`, { body, token: operator.token });

    assert.equal(reply.status, 400, JSON.stringify(body));
    assert.match(reply.text, message);
  }
  assert.deepEqual((await statusOf(server)).history, []);
  const records = (await auditRecords()).filter(
    ({ caller, phase }) => caller === "token:operator" && phase === "refusal",
  );
  assert.deepEqual(
    new Set(records.map(({ action, status }) => `${textOf(action)} ${textOf(status)}`)),
    new Set(["Radius.Core/installer/write 400"]),
  );
});

it("an install from a mirror with a password shows it nowhere, and keeps its correlation id", async () => {
  const url = `${mirror.url.replace("https://", "https://canary-user:canary-password@")}/terraform_1.6.4_linux_amd64.zip?sig=canary-query`;
  const accepted = await server.call("POST", `${place}/install`, {
    token: operator.token,
    headers: { "x-ms-correlation-request-id": "correlation-of-the-install" },
    body: { source: { url, checksum: `SHA256:${checksum.toUpperCase()}`, caBundle: ca.cert } },
  });
  assert.equal(accepted.status, 202, accepted.text);
  const { operationId, ...body } = accepted.body;
  assert.deepEqual(body, { operation: "install", product: "terraform", version: "1.6.4", status: "started", ahead: 0 });

  await untilEnded(accepted);
  const status = await statusOf(server);

  assert.equal(status["state"], "ready", JSON.stringify(status));
  assert.deepEqual(status["source"], {
    url: `${mirror.url}/terraform_1.6.4_linux_amd64.zip`,
    checksum: `sha256:${checksum}`,
  });
  assert.ok(
    requests.some((request) => request.includes("sig=canary-query Basic ")),
    requests.join("\n"),
  );
  const records = await until("the outcome is on record", async () => {
    const found = (await auditRecords()).filter((record) => record["operationId"] === operationId);
    return found.length > 1 && found;
  });
  assert.deepEqual(
    records.map(({ phase, caller, correlationId, target, result = "" }) => [
      phase,
      caller,
      correlationId,
      target,
      result,
    ]),
    ["intent", "outcome"].map((phase) => [
      phase,
      "token:operator",
      "correlation-of-the-install",
      "/planes/radius/local/providers/Radius.Core/installer/terraform/versions/1.6.4",
      phase === "intent" ? "" : "Succeeded",
    ]),
  );
  for (const canary of ["canary-user", "canary-password", "canary-query"]) {
    assert.deepEqual(await findInFiles(server.directory, canary), [], canary);
  }
});

it("the steps of a job are those of its operation", async () => {
  const [entry] = (await statusOf(server))["history"] as JsonObject[];
  const operations = "/planes/radius/local/providers/Radius.Core/locations/global/operationStatuses";

  const { body } = await server.call(
    "GET",
    `${operations}/${textOf(entry?.["operationId"])}?api-version=2025-08-01-preview`,
  );

  assert.equal(body["status"], "Succeeded");
  const steps = (body["steps"] ?? (body["properties"] as JsonObject)?.["steps"]) as JsonObject[];
  assert.deepEqual(
    steps.map(({ name, state }) => `${textOf(name)} ${textOf(state)}`),
    ["repair", "look", "resolve", "download", "unpack", "prove", "place", "activate"].map(
      (name) => `${name} Succeeded`,
    ),
  );
});

it("the same version again is answered at once, without asking the mirror", async () => {
  const before = requests.length;

  const again = await server.call("POST", `/apis/api.ucp.dev/v1alpha3${place}/install`, { body: { version: "1.6.4" } });

  assert.deepEqual([again.status, again.body["status"], again.body["version"]], [200, "ready", "1.6.4"]);
  assert.match(textOf(again.body["installedAt"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.equal(requests.length, before);
});

it("a worker gets the active binary by its SHA-256", async () => {
  const { sha256, size } = await statusOf(server);

  const reply = await server.call("GET", `${place}/binaries/${textOf(sha256)}`, { token: viewer.token });
  const unknown = await server.call("GET", `${place}/binaries/${"0".repeat(64)}`);

  assert.equal(reply.status, 200);
  assert.equal(hash("sha256", reply.text), sha256);
  assert.equal(reply.headers.get("content-length"), String(size));
  assert.equal(unknown.status, 404);
});

it("metrics tell the queue, the outcomes, the durations and the active version", async () => {
  const { text } = await server.call("GET", "/metrics");

  for (const line of [
    /^radius_terraform_installer_queue_depth\{.*state="waiting".*\} 0/m,
    /^radius_terraform_installer_jobs_total\{.*operation="install".*outcome="succeeded".*\} 1/m,
    /^radius_terraform_installer_duration_seconds_count\{.*operation="install".*\} 1/m,
    /^radius_terraform_active_version\{.*version="1\.6\.4".*\} 1/m,
    /^radius_terraform_executions(?:\{.*\})? 0/m,
  ]) {
    assert.match(text, line);
  }
});

it("metrics count a failed install, and tell the active version after a restart", async () => {
  const url = `${mirror.url}/missing/terraform_1.7.0_linux_amd64.zip`;
  const failing = { version: "1.7.0", source: { url, checksum, caBundle: ca.cert } };
  await untilEnded(await server.call("POST", `${place}/install`, { body: failing }));
  const { text: afterFailure } = await server.call("GET", "/metrics");

  await server[Symbol.asyncDispose]();
  server = await startInstaller();
  const { text: afterRestart } = await server.call("GET", "/metrics");

  assert.match(afterFailure, /^radius_terraform_installer_jobs_total\{.*outcome="failed".*\} 1/m);
  for (const text of [afterFailure, afterRestart]) {
    assert.match(text, /^radius_terraform_active_version\{.*version="1\.6\.4".*\} 1/m);
    assert.match(text, /^radius_terraform_installer_queue_depth\{.*state="running".*\} 0/m);
  }
});

it("an uninstall is refused while an execution runs, and works afterwards", async () => {
  const lease = await leases.acquire();
  const refused = await server.call("POST", `${place}/uninstall`, { token: operator.token });
  const counted = await statusOf(server);
  await lease[Symbol.asyncDispose]();
  const accepted = await server.call("POST", `${place}/uninstall`, { body: {} });
  await untilEnded(accepted);

  assert.equal(refused.status, 409);
  assert.match(refused.text, /Terraform is in use by 1 active executions\. Retry after executions complete\./);
  assert.equal(counted["executions"], 1);
  assert.deepEqual([accepted.status, accepted.body["version"]], [202, "1.6.4"]);
  const status = await statusOf(server);
  assert.deepEqual([status["state"], status["currentVersion"]], ["not-installed", null]);
  const record = (await auditRecords()).find(({ phase, result }) => phase === "refusal" && result === "Conflict");
  assert.deepEqual(
    [record?.action, textOf(record?.target).endsWith("/versions/1.6.4"), record?.status],
    ["Radius.Core/installer/uninstall/action", true, 409],
  );
});

async function startInstaller(): Promise<TestServer> {
  return await startTestServer({
    directory: folder,
    modules: [executions],
    overrides: {
      metricsProvider: { enabled: true },
      terraform: { installer: { drainSeconds: 0 } },
      authentication: configuredTokens(operator, viewer, nobody),
      authorization: {
        roles: [{ name: "installers", permissions: ["Radius.Core/installer/read", "Radius.Core/installer/write"] }],
        assignments: [assign("installers", operator, "/"), assign("radius-reader", viewer, "/")],
      },
    },
  });
}

function standIn(version: string): string {
  const json = `{"terraform_version":"${version}"}`;
  return `#!/bin/sh\nif [ "$2" = "-json" ]; then echo '${json}'; else echo "Terraform v${version}"; fi\n`;
}

async function auditRecords(): Promise<readonly JsonObject[]> {
  const lines = (await auditText(server)).trim().split("\n");
  return lines.map((line) => JSON.parse(line) as JsonObject);
}

async function statusOf(at: TestServer): Promise<JsonObject> {
  return (await at.call("GET", `${place}/status`)).body;
}

async function untilEnded({ body }: Reply): Promise<void> {
  await until("the job has ended", async () => {
    const { history } = await statusOf(server);
    return (history as JsonObject[]).some(
      (entry) => entry["operationId"] === body["operationId"] && entry["completedAt"] !== null,
    );
  });
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
