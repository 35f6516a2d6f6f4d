// The examples of docs/adding, compiled and run as they are printed there.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { after, it } from "node:test";
import {
  assign,
  configuredTokens,
  createIdentity,
  findInFiles,
  startTestServer,
  type TestServer,
} from "@rad/control-plane/testing";
import { atOnce, type JsonObject, objectMember } from "@rad/core";
import type { ModuleFactory } from "@rad/modules";
import type { BuiltInType } from "@rad/radius-types";
import { compileSchema } from "@rad/resource-types";
import { writePrintedCode } from "./printed-code.ts";

const group = "/planes/radius/local/resourceGroups/docs";

async function startWith(module: ModuleFactory): Promise<TestServer> {
  const server = await startTestServer({ modules: [module] });
  await server.call("PUT", `${group}?api-version=2023-10-01-preview`, { body: { location: "global" } });
  return server;
}

it("the example of docs/adding/type.md compiles, validates, seals, waits, survives a repeated PUT and cleans up", async () => {
  await using code = await writePrintedCode("docs/adding/type.md");
  const folder = "packages/radius-types/src/radius-example";
  assert.equal(code.typeErrors(), "");
  const { boards } = (await code.import(`${folder}/boards/schema.ts`)) as { boards: BuiltInType };
  const { channels } = (await code.import(`${folder}/channels/schema.ts`)) as { channels: BuiltInType };
  const version = "2025-08-01-preview";
  const bodiesOf = async (type: BuiltInType, name: string): Promise<readonly JsonObject[]> => {
    const { fullBodies } = (await code.import(`${folder}/${name}/full-body.ts`)) as { fullBodies: JsonObject[] };
    const schema = compileSchema(type.versions[version] ?? {});
    fullBodies.forEach((body) => assert.deepEqual(atOnce(schema.validate(body)), []));
    return fullBodies;
  };
  const [properties = {}] = await bodiesOf(boards, "boards");
  await bodiesOf(channels, "channels");
  await using server = await startWith({ name: "docs", create: () => ({ types: [boards, channels] }) });
  const query = `?api-version=${version}`;
  const board = `${group}/providers/Radius.Example/boards/lobby`;
  const channel = (name: string): string => `${group}/providers/Radius.Example/channels/lobby-${name}${query}`;
  const put = (properties: JsonObject) =>
    server.call("PUT", board + query, { body: { location: "global", properties } });

  const refused = await put({ ...properties, channels: ["general", "general"] });
  const created = await server.settle(await put(properties));
  const shown = (await server.call("GET", board + query)).body["properties"];
  const secrets = (await server.call("POST", `${board}/listSecrets${query}`)).body;
  const channelState = objectMember((await server.call("GET", channel("random"))).body, "properties");
  const updated = await server.settle(await put({ ...properties, channels: ["general"] }));
  const secretsAfterwards = (await server.call("POST", `${board}/listSecrets${query}`)).body;
  const removed = await server.settle(await server.call("DELETE", board + query));

  assert.equal(refused.code, "InvalidProperties");
  assert.equal(created["status"], "Succeeded", JSON.stringify(created));
  assert.partialDeepStrictEqual(created["properties"], {
    steps: [{ name: "Deploy the channels", state: "Succeeded" }],
  });
  assert.deepEqual(shown, {
    title: "Lobby",
    moderatorKey: null,
    channels: ["general", "random"],
    url: "https://boards.example/lobby",
    adminKey: null,
    status: { channels: ["general", "random"], adminKey: null },
    provisioningState: "Succeeded",
  });
  assert.equal(secrets["moderatorKey"], "hush");
  assert.match(String(secrets["adminKey"]), /^[0-9a-f-]{36}$/);
  assert.deepEqual(channelState, { topic: "random", provisioningState: "Succeeded" });
  assert.equal(updated["status"], "Succeeded", JSON.stringify(updated));
  assert.deepEqual(secretsAfterwards, secrets);
  assert.equal(removed["status"], "Succeeded", JSON.stringify(removed));
  for (const url of [board + query, channel("general"), channel("random")]) {
    assert.equal((await server.call("GET", url)).status, 404, url);
  }
});

it("the example of docs/adding/queue.md compiles, keeps the order of bookings, and books each once", async () => {
  await using code = await writePrintedCode("docs/adding/queue.md");
  assert.equal(code.typeErrors(), "");
  const { ledgerModule } = (await code.import("packages/ledger/src/ledger-module.ts")) as {
    ledgerModule: ModuleFactory;
  };
  await using server = await startWith(ledgerModule);
  const query = "?api-version=2025-01-01";
  const account = `${group}/providers/Example.Ledger/accounts/savings`;
  const status = (id: string): string =>
    `/planes/radius/local/providers/Example.Ledger/locations/global/operationStatuses/${id}${query}`;
  const book = async (body: JsonObject): Promise<string> => {
    const reply = await server.call("POST", `${account}/book${query}`, { body });
    assert.equal(reply.status, 200, reply.text);
    return String(reply.body["operation"]);
  };
  await server.settle(await server.call("PUT", account + query, { body: { properties: {} } }));

  // The first booking is parked while the others arrive, and the third one fails.
  const operations = [await book({ amount: 100, text: "first", notBefore: Date.now() + 500 })];
  for (const [amount, text] of [
    [-40, "second"],
    [-90, "third"],
    [-60, "fourth"],
    [7, "fifth"],
  ] as const) {
    operations.push(await book({ amount, text }));
  }
  const wrong = await server.call("POST", `${account}/book${query}`, { body: { amount: "much" } });
  const ended: JsonObject[] = [];
  for (const id of operations) {
    ended.push((await server.call("GET", status(id), { headers: { prefer: "wait=30" } })).body);
  }
  const shown = objectMember((await server.call("GET", account + query)).body, "properties");

  assert.equal(wrong.code, "InvalidRequestContent");
  assert.deepEqual(
    ended.map(({ status }) => status),
    ["Succeeded", "Succeeded", "Failed", "Succeeded", "Succeeded"],
  );
  assert.equal(objectMember(ended[2] ?? {}, "error")["code"], "Conflict");
  assert.deepEqual(shown, {
    balance: 7,
    entries: [
      { amount: 100, text: "first" },
      { amount: -40, text: "second" },
      { amount: -60, text: "fourth" },
      { amount: 7, text: "fifth" },
    ],
    provisioningState: "Succeeded",
  });
});

it("the example of docs/adding/route.md compiles, keeps a state sealed, and lets one caller lock it", async () => {
  await using code = await writePrintedCode("docs/adding/route.md");
  assert.equal(code.typeErrors(), "");
  const { stateModule } = (await code.import("packages/state/src/state-module.ts")) as { stateModule: ModuleFactory };
  const reader = createIdentity("reader");
  await using server = await startTestServer({
    modules: [stateModule],
    overrides: {
      authentication: configuredTokens(reader),
      authorization: { assignments: [assign("radius-reader", reader, group)] },
    },
  });
  const url = "/example/state/docs/App";
  const state = JSON.stringify({ version: 4, outputs: { password: "canary-of-state" } });
  const call = async (method: string, path: string, body?: string, token?: string) =>
    await server.call(method, path, { body, ...(token === undefined ? {} : { token }) });
  const lock = (id: string): string => JSON.stringify({ ID: id, Who: "me" });

  const absent = await call("GET", url);
  const locked = await call("LOCK", url, lock("1"));
  const lockedAgain = await call("LOCK", url, lock("2"));
  const noLock = await call("LOCK", `${url}2`, "no JSON");
  const stored = await call("POST", `${url}?ID=1`, state);
  const storedByOther = await call("POST", `${url}?ID=2`, "{}");
  const read = await call("GET", url);
  const readByReader = await call("GET", url, undefined, reader.token);
  const lockedByReader = await call("LOCK", url, lock("3"), reader.token);
  const elsewhere = await call("GET", "/example/state/other/App", undefined, reader.token);
  const unlocked = await call("UNLOCK", url, lock("1"));
  const put = await call("PUT", url, state);
  const clear = await findInFiles(server.directory, "canary-of-state");
  const deleted = await call("DELETE", url);

  assert.deepEqual(
    [absent, locked, lockedAgain, noLock, stored, storedByOther].map(({ status }) => status),
    [404, 200, 423, 400, 200, 409],
  );
  assert.equal(lockedAgain.text, lock("1"));
  assert.equal(read.text, state);
  assert.deepEqual([readByReader.text, lockedByReader.status, elsewhere.status], [state, 403, 403]);
  assert.deepEqual([unlocked.status, put.status, deleted.status], [200, 405, 200]);
  assert.deepEqual(clear, []);
  assert.equal((await call("GET", url)).status, 404);
});

it("the example of docs/adding/plane.md compiles, and streams both ways to the service of the plane", async () => {
  await using code = await writePrintedCode("docs/adding/plane.md");
  assert.equal(code.typeErrors(), "");
  const { edgeModule } = (await code.import("packages/edge/src/edge-module.ts")) as { edgeModule: ModuleFactory };
  const service = createServer((request, response) => {
    response.writeHead(200, { "x-path": request.url ?? "", "x-token": request.headers.authorization ?? "none" });
    void pipeline(request, response).catch(() => {}); // tells each byte back as it comes
  });
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  const serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  await using server = await startWith(edgeModule);
  const create = async (name: string, url: string): Promise<number> => {
    const body = { location: "global", properties: { url } };
    return (await server.call("PUT", `/planes/edge/${name}?api-version=2023-10-01-preview`, { body })).status;
  };
  assert.deepEqual([await create("north", serviceUrl), await create("dead", "http://127.0.0.1:1")], [200, 200]);
  const bytes = new Uint8Array(20_000_000).map((_, index) => index % 251);

  const echo = await fetch(`${server.url}/planes/edge/north/sites/a%20b/providers/Edge.Things/lamps/l1?q=%2F`, {
    method: "PUT",
    headers: { authorization: `Bearer ${server.token}` },
    body: bytes,
  });
  const echoed = new Uint8Array(await echo.arrayBuffer());
  const removed = await server.call("DELETE", "/planes/edge/north/x", { body: "text" });
  const dead = await server.call("GET", "/planes/edge/dead/x");
  const missing = await server.call("GET", "/planes/edge/south/x");
  service.close();

  assert.equal(Buffer.compare(echoed, bytes), 0);
  assert.equal(echo.headers.get("x-path"), "/sites/a%20b/providers/Edge.Things/lamps/l1?q=%2F");
  assert.equal(echo.headers.get("x-token"), "none");
  assert.deepEqual([removed.text, dead.code, missing.code], ["text", "ServiceUnavailable", "NotFound"]);
});
const notes = await writePrintedCode("docs/adding/target.md");
after(() => notes[Symbol.asyncDispose]());
await notes.import("packages/notes/src/notes-target.test.ts"); // holds the target to the contract of all targets

it("the example of docs/adding/target.md compiles, deploys, changes and previews", async () => {
  assert.equal(notes.typeErrors(), "");
  const { notesModule } = (await notes.import("packages/notes/src/notes-module.ts")) as {
    notesModule: (folder: string) => ModuleFactory;
  };
  const folder = await mkdtemp(path.join(tmpdir(), "notes-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(folder, { recursive: true }));
  await using server = await startWith(notesModule(folder));
  const deployment = `${group}/providers/Microsoft.Resources/deployments/notes`;
  const query = "?api-version=2020-10-01";
  const template = {
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    languageVersion: "2.1-experimental",
    contentVersion: "1.0.0.0",
    imports: { notes: { provider: "Notes", version: "1.0.0", config: { space: "team" } } },
    parameters: { text: { type: "string" }, pin: { type: "securestring" } },
    resources: {
      hello: note("hello", { text: "[parameters('text')]", pin: "[parameters('pin')]" }),
      reply: note("reply", { text: "[concat('About ', reference('hello').id)]" }),
    },
    outputs: { readings: { type: "int", value: "[listReadings('hello', '2025-01-01').count]" } },
  };
  const bodyWith = (text: string): JsonObject => ({
    properties: { mode: "Incremental", template, parameters: { text: { value: text }, pin: { value: "canary" } } },
  });
  const deploy = async (text: string): Promise<JsonObject> => {
    await server.settle(await server.call("PUT", deployment + query, { body: bodyWith(text) }));
    return objectMember((await server.call("GET", deployment + query)).body, "properties");
  };
  const changes = async (): Promise<string[]> => {
    const { body } = await server.call("GET", `${deployment}/operations${query}`);
    const types = (body["value"] as JsonObject[]).map((record) => objectMember(record, "properties")["changeType"]);
    return types.filter((type) => typeof type === "string").toSorted();
  };

  const created = await deploy("Hello");
  const first = await changes();
  const whatIf = await server.call("POST", `${deployment}/whatIf${query}`, { body: bodyWith("Bye") });
  const modified = await deploy("Bye");
  const second = await changes();

  const id = (name: string): string => `/planes/notes/local/spaces/team/providers/Example.Notes/notes/${name}`;
  assert.equal(created["provisioningState"], "Succeeded", JSON.stringify(created));
  assert.deepEqual(created["outputResources"], [{ id: id("hello") }, { id: id("reply") }]);
  assert.deepEqual(created["outputs"], { readings: { type: "Int", value: 1 } });
  assert.deepEqual(first, ["Create", "Create"]);
  const predicted = objectMember(whatIf.body, "properties")["changes"] as JsonObject[];
  assert.deepEqual(
    predicted.map(({ symbolicName, changeType }) => [symbolicName, changeType]),
    [
      ["hello", "Modify"],
      ["reply", "NoChange"],
    ],
  );
  assert.deepEqual(modified["outputs"], { readings: { type: "Int", value: 2 } });
  assert.deepEqual(second, ["Modify", "NoChange"]);
  const file = await readFile(path.join(folder, "team", "hello.json"), "utf8");
  assert.match(file, /"text":"Bye"/);
  assert.doesNotMatch(file + whatIf.text, /canary/);
});

function note(name: string, properties: JsonObject): JsonObject {
  return { import: "notes", type: "Example.Notes/notes@2025-01-01", properties: { name, properties } };
}
