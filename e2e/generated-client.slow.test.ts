// A client that a generator from npm makes of a server's OpenAPI document, used against that server.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { JsonObject } from "@rad/core";
import { registerType } from "./support/api.ts";
import { type ServerProcess, startServerProcess } from "./support/server-process.ts";

const root = path.dirname(import.meta.dirname);

interface Reply {
  readonly status: number;
  readonly data: JsonObject;
  readonly headers: Headers;
}
type Call = (...parameters: readonly unknown[]) => Promise<Reply>;
type GeneratedClient = Readonly<Record<string, Call>> & {
  readonly defaults: { baseUrl: string; headers: Record<string, string> };
};

let server: ServerProcess;
let folder: string;
let client: GeneratedClient;

before(async () => {
  server = await startServerProcess();
  await registerType(server, "Test.Generated/boards", {
    title: { type: "string" },
    key: { type: "string", "x-radius-sensitive": true },
  });
  await mkdir(path.join(root, ".cache"), { recursive: true });
  folder = await mkdtemp(path.join(root, ".cache", "generated-client-")); // the client finds its runtime from here
  const headers = { authorization: `Bearer ${server.token}` };
  const document = await fetch(`${server.url}/openapi.json`, { headers });
  await writeFile(path.join(folder, "openapi.json"), await document.text());
  run("oazapfts", [path.join(folder, "openapi.json"), path.join(folder, "client.ts")]);
  client = (await import(pathToFileURL(path.join(folder, "client.ts")).href)) as GeneratedClient;
  client.defaults.baseUrl = server.url;
  client.defaults.headers = headers;
});
after(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

it("the generated client passes the type checker", async () => {
  const use = `import { testGeneratedBoardsCreateOrUpdate } from "./client.ts";
export const put = testGeneratedBoardsCreateOrUpdate("local", "g", "n", "2025-01-01", { properties: { title: "t" } });
// @ts-expect-error: the schema says that a title is text
export const wrong = testGeneratedBoardsCreateOrUpdate("local", "g", "n", "2025-01-01", { properties: { title: 7 } });
// @ts-expect-error: the type has one api-version
export const old = testGeneratedBoardsCreateOrUpdate("local", "g", "n", "2020-01-01", { properties: {} });
`;
  await writeFile(path.join(folder, "use.ts"), use);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: "nodenext",
    target: "es2024",
    lib: ["es2024", "dom"],
    types: [],
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  };
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));

  run("tsc", ["--project", folder]);
});

it("synchronous resources are created, listed, read and deleted by the generated client", async () => {
  const version = "2023-10-01-preview";
  const group = ["local", "generated", version] as const;

  const created = await call("systemResourcesResourceGroupsCreateOrUpdate", ...group, { location: "global" });
  const listed = await call("systemResourcesResourceGroupsList", "local", version);
  const read = await call("systemResourcesResourceGroupsGet", ...group);
  const deleted = await call("systemResourcesResourceGroupsDelete", ...group);
  const again = await call("systemResourcesResourceGroupsDelete", ...group);

  assert.deepEqual(
    [created.status, listed.status, read.status, deleted.status, again.status],
    [200, 200, 200, 200, 204],
  );
  assert.ok((listed.data["value"] as JsonObject[]).some(({ name }) => name === "generated"));
  assert.match(read.headers.get("etag") ?? "", /./);
});

it("asynchronous resources are created, listed and deleted, and their operations followed", async () => {
  const group = ["local", "boards"] as const;
  const board = [...group, "lobby", "2025-01-01"] as const;
  await call("systemResourcesResourceGroupsCreateOrUpdate", ...group, "2023-10-01-preview", { location: "global" });

  const created = await call("testGeneratedBoardsCreateOrUpdate", ...board, {
    properties: { title: "Lobby", key: "canary-of-client" },
  });
  const creation = await operationOf(created);
  const listed = await call("testGeneratedBoardsList", ...group, "2025-01-01", { top: 5 });
  const inPlane = await call("testGeneratedBoardsListInPlane", "local", "2025-01-01");
  const stale = await call("testGeneratedBoardsDelete", ...board, { ifMatch: "another" });
  const deleted = await call("testGeneratedBoardsDelete", ...board);
  const deletion = await operationOf(deleted);
  const gone = await call("testGeneratedBoardsGet", ...board);

  assert.deepEqual([created.status, deleted.status, gone.status], [201, 202, 404]);
  assert.deepEqual([creation["status"], deletion["status"]], ["Succeeded", "Succeeded"]);
  for (const list of [listed, inPlane]) {
    const [item, ...others] = list.data["value"] as JsonObject[];
    assert.equal(others.length, 0);
    assert.partialDeepStrictEqual(item, { name: "lobby", properties: { title: "Lobby", key: null } });
  }
  assert.equal(stale.status, 412);
  assert.equal((gone.data["error"] as JsonObject)["code"], "NotFound");
});

async function call(name: string, ...parameters: readonly unknown[]): Promise<Reply> {
  const operation = client[name];
  assert.ok(operation !== undefined, `the generated client has no ${name}`);
  return await operation(...parameters);
}

/** Waits for the end of the operation that an answer announces. */
async function operationOf(reply: Reply): Promise<JsonObject> {
  const link = new URL(reply.headers.get("azure-asyncoperation") ?? "");
  const [, plane = "", namespace, location, id] =
    /^\/planes\/radius\/([^/]+)\/providers\/([^/]+)\/locations\/([^/]+)\/operationStatuses\/([^/]+)$/.exec(
      link.pathname,
    ) ?? [];
  return (await call("operationsGetStatus", plane, namespace, location, id, { prefer: "wait=30" })).data;
}

function run(tool: string, parameters: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(path.join(root, "node_modules", ".bin", tool), parameters, {
    encoding: "utf8",
  });
  assert.equal(status, 0, `${stdout}${stderr}`.slice(0, 5_000));
}
