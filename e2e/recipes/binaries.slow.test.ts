// Recipes and the installer at once, on two servers with one PostgreSQL and one volume: which binary a run uses, and what
// installs, upgrades and uninstalls do meanwhile.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { access, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, it } from "node:test";
import { promisify } from "node:util";
import { radiusResource, radiusTemplate, spansIn, startCollector } from "@rad/control-plane/testing";
import type { JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import { testProvider } from "@rad/terraform/testing/providers";
import { olderTerraform, realTerraform } from "@rad/terraform/testing/real-binaries";
import { clientOf, group, request } from "../support/api.ts";
import { databases } from "../support/database.ts";
import type { TestDatabase } from "../support/database.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { accepted, readStatus, send, settled } from "../terraform/installer-api.ts";
import { bucketModule, bucketProvider } from "./bucket-module.ts";
import {
  bucketId,
  bucketType,
  createPlatform,
  deleteBucket,
  deployBucket,
  failureOf,
  legacyVersion,
  openRecipeRig,
  putLegacyPlatform,
  registerBuckets,
} from "./recipe-rig.ts";
import type { RecipeRig } from "./recipe-rig.ts";
import { recordedCommands, recordingTerraform } from "./recording-terraform.ts";
import type { RecordedCommand } from "./recording-terraform.ts";
import { trappedEnvironment } from "./trapped-environment.ts";
import type { TrappedEnvironment } from "./trapped-environment.ts";

const notInstalled = "Terraform is not installed. Run 'rad terraform install' to install Terraform.";
/** Runs at a time of each server. */
const maxConcurrent = 2;

let rig: RecipeRig;
let collector: Awaited<ReturnType<typeof startCollector>>;
let database: TestDatabase;
let one: ServerProcess;
let two: ServerProcess;
let environment: string;
/** What the recording programs write. */
let record: string;
let trap: TrappedEnvironment;
before(async () => {
  rig = await openRecipeRig();
  collector = await startCollector();
  database = await databases.postgresql();
  record = path.join(database.folder, "commands");
  await writeFile(record, "");
  for (const version of ["1.90.0", "1.91.0", "1.92.0"]) {
    await rig.releases.publish("terraform", version, await recordingTerraform(version, record));
  }
  trap = await trappedEnvironment(path.join(database.folder, "trap"));
  const { terraform } = rig.config(database.folder);
  const config = {
    terraform: {
      ...terraform,
      installer: { ...terraform?.installer, drainSeconds: 3 },
      runs: { ...terraform?.runs, maxConcurrent },
    },
    tracerProvider: { otlp: { endpoint: collector.url } },
  };
  [one, two] = await Promise.all([
    database.startServer(config, trap.variables),
    database.startServer(config, trap.variables),
  ]);
  await registerBuckets(one);
  environment = await platform("one");
});
after(async () => {
  await one[Symbol.asyncDispose]();
  await two[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await collector[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

it("while the first install runs, a recipe is told so, and no other Terraform is used", async () => {
  const stall = rig.releases.fault(/1\.90\.0.*zip$/u, { kind: "stall", afterBytes: 10 });
  await accepted(one, "install", { version: "1.90.0" });
  await until("the download has begun", () => stall.met === 1);

  const error = await failureOf(() => deployBucket(two, "early", { environment }));
  stall[Symbol.dispose]();
  const { currentVersion } = await settled(one);
  await deleteBucket(one, "early");

  assert.equal(error.message, notInstalled);
  assert.deepEqual(
    error.details.map(({ message }) => message),
    ["install in progress, retry after status shows Succeeded"],
  );
  assert.equal(currentVersion, "1.90.0");
  assert.equal(rig.registry.requests.length, 0);
});

it("a recipe during a download has the old version, and runs keep theirs when a full queue of them is overtaken", async () => {
  const stall = rig.releases.fault(/1\.91\.0.*zip$/u, { kind: "stall", afterBytes: 10 });
  await accepted(two, "install", { version: "1.91.0" });
  await until("the download has begun", () => stall.met === 1);

  const legacy = await putLegacyPlatform(one, {
    name: "looked-at",
    source: `${rig.registry.host}/acme/bucket/aws`,
    version: "1.0.0",
    settings: `${group}/providers/Radius.Core/terraformSettings/main`,
  });
  const recipe = { name: "default", resourceType: bucketType };
  await clientOf(one).resources.action(legacy, "getMetadata", recipe, { apiVersion: legacyVersion });
  const looked = await recordedCommands(record);
  await deployBucket(one, "during", { environment });
  const during = await readStatus(two);
  const commandsDuring = await recordedCommands(record);

  using held = rig.cloud.fault(/^create .* held-/u, { kind: "stall", when: "before" });
  const names = Array.from({ length: 6 }, (_, index) => `held-${index}`);
  const deployed = names.map((name, index) => deployBucket(index % 2 === 0 ? one : two, name, { environment }));
  // Either server may have taken most of them; those that wait for a slot hold the binary already.
  await until(
    "more recipes hold the binary than may run",
    async () => held.met >= maxConcurrent && (await readStatus(one)).executions === names.length,
    { timeoutMs: 120_000 },
  );
  const refused = [await send(one, "POST", "uninstall"), await send(two, "POST", "uninstall")];
  stall[Symbol.dispose]();
  const upgraded = await settled(one);
  held[Symbol.dispose]();
  await Promise.all(deployed);
  const commands = (await recordedCommands(record)).slice(looked.length);
  environment = await platform("two");
  await deployBucket(two, "after", { environment });
  await deleteBucket(one, "after");
  const commandsAfter = (await recordedCommands(record)).slice(looked.length + commands.length);

  assert.deepEqual([during.state, during.currentVersion], ["installing", "1.90.0"]);
  assert.deepEqual(new Set(commandsDuring.map(({ version }) => version)), new Set(["1.90.0"]));
  for (const { status, body } of refused) {
    const { message } = body["error"] as { message: string };
    assert.equal(status, 409);
    assert.equal(message, "Terraform is in use by 6 active executions. Retry after executions complete.");
  }
  assert.equal(upgraded.currentVersion, "1.91.0", "an install does not wait for recipes");
  const runs = Object.groupBy(commands, ({ folder }) => folder);
  assert.equal(Object.keys(runs).length, 1 + names.length);
  for (const run of Object.values(runs)) {
    assert.equal(new Set(run?.map(({ version }) => version)).size, 1, "a run never mixes versions");
    assert.deepEqual(
      run?.map(({ command }) => command),
      ["init", "apply", "show"],
    );
  }
  assert.deepEqual(
    looked.map(({ command }) => command),
    ["get"],
  );
  assertAll(looked, { mark: "one", isConfigured: true, version: "1.90.0" });
  assertAll(commands, { mark: "one", isConfigured: true, version: "1.90.0" });
  assertAll(commandsAfter, { mark: "two", isConfigured: true, version: "1.91.0" });
  assert.deepEqual(
    commandsAfter.map(({ command }) => command),
    ["init", "apply", "show", "init", "destroy", "show"],
  );
  await Promise.all(names.map((name) => deleteBucket(one, name)));
});

it("one trace leads from a deployment to the recipe and each command of Terraform, and so does the correlation id", async () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const correlationId = "correlation-of-the-deployment";
  const template = radiusTemplate({
    resources: { bucket: radiusResource(`${bucketType}@2025-01-01`, "traced", { properties: { environment } }) },
  });
  const id = `${group}/providers/Microsoft.Resources/deployments/traced`;

  const response = await fetch(`${one.url}${id}?api-version=2025-04-01`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${one.token}`,
      "content-type": "application/json",
      "x-ms-correlation-request-id": correlationId,
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    },
    body: JSON.stringify({ properties: { mode: "Incremental", template, parameters: {} } }),
  });
  assert.ok(response.ok, await response.text());
  await until("the deployment has ended", async () => (await clientOf(two).deployments.get(id)).state === "Succeeded", {
    timeoutMs: 120_000,
  });
  const spans = () => spansIn(collector).filter((span) => span.traceId === traceId);
  const ancestors = (name: string): string[] => {
    const byId = new Map(spans().map((span) => [span.spanId, span]));
    const names: string[] = [];
    for (let span = spans().find((each) => each.name === name); span !== undefined;) {
      names.push(span.name);
      span = byId.get(span.parentSpanId ?? "");
    }
    return names;
  };
  // A span arrives when it has ended, so that those of commands arrive before that of the recipe.
  const chains = () => ["init", "apply", "show"].map((command) => ancestors(`terraform ${command}`));
  await until(
    () => `each command is part of the recipe: ${JSON.stringify(chains())}`,
    () => chains().every((names) => names.includes("recipe execute")),
    { timeoutMs: 60_000 },
  );
  await until("the span of the request has arrived", () => spans().some(({ name }) => name === "HTTP PUT"));
  const linesOfRun = () => linesOf(one, two).filter((line) => String(line["resourceId"]).endsWith("/traced"));
  await until("the log tells of the creation", () =>
    linesOfRun().some((line) => JSON.stringify(line).includes("Creation complete")),
  );
  const lines = linesOfRun();
  for (const line of lines) {
    assert.equal(line["correlationId"], correlationId, JSON.stringify(line));
    assert.equal(String(line["environment"]).toLowerCase(), environment.toLowerCase());
    assert.equal(line["terraform"], "terraform 1.91.0");
    assert.deepEqual(line["hosts"], [rig.mirror.host, rig.registry.host]);
  }
  await deleteBucket(two, "traced");
});

it("after an install that failed, the next recipe runs with the version before", async () => {
  using corrupt = rig.releases.fault(/1\.92\.0.*zip$/u, { kind: "corrupt", at: 100 });
  await accepted(one, "install", { version: "1.92.0" });
  const failed = await settled(one);

  const before = (await recordedCommands(record)).length;
  await deployBucket(two, "next", { environment });

  assert.ok(corrupt.met > 0);
  assert.deepEqual([failed.state, failed.currentVersion, failed.history[0]?.state], ["ready", "1.91.0", "failed"]);
  assertAll((await recordedCommands(record)).slice(before), { mark: "two", isConfigured: true, version: "1.91.0" });
  await deleteBucket(two, "next");
});

it("a recipe during the drain of an uninstall is refused, and fails when the binary is gone or lost", async () => {
  await accepted(two, "uninstall");
  await until("the drain has begun", async () => (await readStatus(one)).state === "pending-deletion");
  const draining = await failureOf(() => deployBucket(one, "drained", { environment }));
  await settled(one);
  const gone = await failureOf(() => deployBucket(two, "drained", { environment }));
  await accepted(one, "install", { version: "1.91.0" });
  await settled(one);
  await rm(path.join(database.folder, "volume", "1.91.0"), { recursive: true });
  const lost = await failureOf(() => deployBucket(one, "drained", { environment }));
  await accepted(two, "install", { version: "1.91.0" });
  await settled(two);

  await deployBucket(one, "drained", { environment });

  assert.match(draining.message, /^Terraform 1\.91\.0 is being uninstalled and takes no new executions/u);
  assert.equal(gone.message, notInstalled);
  assert.equal(lost.message, notInstalled);
  await deleteBucket(one, "drained");
});

it("a resource moves between two versions of Terraform, of which only Terraform itself complains", async () => {
  const [newer, older] = await Promise.all([realTerraform(), olderTerraform()]);
  for (const binary of [newer, older]) {
    await rig.releases.publishReal(binary);
  }
  const needs = (version: string) => `terraform {\n  required_version = ">= ${version}"\n}\n${bucketModule}`;
  rig.registry.publish("acme/moving/aws", "1.0.0", { "main.tf": needs("1.0.0") });
  rig.registry.publish("acme/moving/aws", "2.0.0", { "main.tf": needs(newer.version) });
  const moving = (version: string) => platform("moving", `${rig.registry.host}/acme/moving/aws:${version}`);
  const properties = { environment: await moving("1.0.0"), bucketName: "moving" };

  await install(older.version);
  await deployBucket(one, "moving", properties);
  await install(newer.version);
  await deployBucket(two, "moving", { ...properties, team: "blue" });
  const { body } = await request(one, "GET", bucketId("moving"));
  await install(older.version);
  await deployBucket(one, "moving", { ...properties, team: "red" });
  await moving("2.0.0");
  const complaint = await failureOf(() => deployBucket(two, "moving", { ...properties, team: "green" }));
  await deleteBucket(two, "moving");

  assert.match(complaint.message, /Unsupported Terraform Core version/u);
  assert.deepEqual(
    [
      rig.cloud.count("create", /^moving/u),
      rig.cloud.count("update", /^moving/u),
      rig.cloud.count("delete", /^moving/u),
    ],
    [1, 2, 1],
  );
  const shown = JSON.stringify(body);
  assert.ok(!shown.includes(newer.version) && !shown.includes(older.version), shown);
});

it("a full disk fails the run and leaves nothing half-written; with room again, the next run succeeds", async () => {
  const version = "5.96.0";
  rig.mirror.publish(await testProvider({ ...bucketProvider, version, cloud: rig.cloud }));
  rig.registry.publish("acme/full/aws", "1.0.0", { "main.tf": bucketModule.replace("~> 5.0", version) });
  const full = await platform("full", `${rig.registry.host}/acme/full/aws:1.0.0`);

  // A limit on the size of files, which the server and what it starts meet like the end of a disk.
  await limitFiles("4000000");
  const error = await failureOf(() => deployBucket(two, "full", { environment: full }));
  await limitFiles("unlimited");

  assert.equal(error.code, "RecipeDeploymentFailed");
  assert.match(error.message, /file too large|no space left/u);
  assert.equal(rig.cloud.count("create", /^full/u), 0);
  assert.deepEqual(await readdir(path.join(database.folder, "runs", "runs")), []);
  await deployBucket(two, "full", { environment: full });
  await deleteBucket(two, "full");
});

it("nothing of the home, the path and the variables of the servers reached a run", async () => {
  const configured = rig.cloud.requests.filter(({ action }) => action === "configure");
  assert.ok(configured.length > 0);
  for (const { environment: variables } of configured) {
    assert.ok(!variables.some((variable) => variable.includes("of-the-server")), variables.join("\n"));
  }
  await assert.rejects(access(trap.used), { code: "ENOENT" });
});

/** Settings with a mark, and an environment that refers to them; again, it changes the settings only. */
async function platform(mark: string, source?: string): Promise<string> {
  return await createPlatform(rig, one, {
    name: source === undefined ? "main" : mark,
    env: { MARK: mark },
    ...(source === undefined ? {} : { source }),
  });
}

async function install(version: string): Promise<void> {
  await accepted(one, "install", { version });
  assert.equal((await settled(one)).currentVersion, version);
}

function assertAll(commands: readonly RecordedCommand[], expected: Omit<RecordedCommand, "command" | "folder">): void {
  assert.ok(commands.length > 0);
  for (const { command: _command, folder: _folder, ...seen } of commands) {
    assert.deepEqual(seen, expected);
  }
}

/** Of both servers, as either may run the recipe. */
async function limitFiles(bytes: string): Promise<void> {
  for (const { pid } of [one, two]) {
    await promisify(execFile)("prlimit", [`--pid=${pid}`, `--fsize=${bytes}:unlimited`]);
  }
}

/** Log lines of both servers. */
function linesOf(...servers: readonly ServerProcess[]): JsonObject[] {
  return servers
    .flatMap(({ output }) => output.split("\n"))
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as JsonObject);
}
