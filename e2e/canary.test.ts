import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { apiVersion, clientOf, group, operationEnd, registerType } from "./support/api.ts";
import type { Server } from "./support/api.ts";
import { databases } from "./support/database.ts";
import { leakyType, steeredType } from "./support/handlers.ts";

/** Files that exist to hold a secret, with a mode that keeps others out. */
const secretFiles = ["key", "keys", "token"];

for (const [name, openDatabase] of Object.entries(databases)) {
  it(`${name}: secrets, tokens and keys show up in no answer, log, trace, audit record, file or argument`, async () => {
    const canaries = new Canaries();
    await using collector = await startCollector();
    await using database = await openDatabase();
    canaries.add("token", database.token);
    const server = await database.startServer({ tracerProvider: { otlp: { endpoint: collector.url } } });
    try {
      for (const file of secretFiles) {
        await canaries.addFile(file, path.join(database.folder, file));
        await canaries.addFile(file, path.join(database.folder, "data", file));
      }
      if (database.url !== undefined) {
        canaries.add("database password", new URL(database.url).password);
      }
      const answers = await exercise(server, canaries);
      canaries.assertAbsent("an answer", answers);
      canaries.assertAbsent("the process arguments", await readFile(`/proc/${server.pid}/cmdline`, "utf8"));
      canaries.assertAbsent("a file while the server runs", await filesIn(database.folder));
    } finally {
      await server.end("SIGTERM");
    }

    canaries.assertAbsent("the log", server.output);
    canaries.assertAbsent("a file", await filesIn(database.folder));
    canaries.assertAbsent("a trace or a metric", collector.received());
    if (database.url !== undefined) {
      canaries.assertAbsent("a table", await everyRow(database.url));
    }
    assert.match(server.output, /\[redacted\]/, "the leaky handler's log line was not seen at all");
    assert.ok(collector.received().length > 0, "the collector received nothing, so it proves nothing");
    await server[Symbol.asyncDispose]();
  });
}

/** Does with secrets what users and mistakes do, and returns everything that came back. */
async function exercise(server: Server, canaries: Canaries): Promise<string> {
  const collected: string[] = [];
  const properties = {
    password: { type: "string", "x-radius-sensitive": true },
    nested: { type: "object", properties: { key: { type: "string", "x-radius-sensitive": true } } },
    size: { type: "integer" },
  };
  await clientOf(server).groups.put("test");
  await registerType(server, steeredType, properties);
  await registerType(server, leakyType, properties);
  const secret = (what: string): string => canaries.make(what);
  const good = { properties: { password: secret("password"), nested: { key: secret("nested key") } } };
  const thing = `${group}/providers/${steeredType}/thing`;

  assert.equal(await send("PUT", thing, good), 201);
  await send("GET", thing);
  await send("PUT", thing, { properties: { password: secret("updated password") } });
  await send("GET", `${group}/providers/${steeredType}`);
  assert.equal(await send("PUT", `${group}/providers/${leakyType}/thing`, good), 201);
  await send("GET", `${group}/providers/${leakyType}/thing`);
  // refused: wrong type, wrong neighbour, unknown member, not JSON at all, wrong content type
  await send("PUT", `${thing}2`, { properties: { password: { value: secret("object for a string") } } });
  await send("PUT", `${thing}3`, { properties: { password: secret("beside a mistake"), size: "big" } });
  await send("PUT", `${thing}4`, { properties: { password: 7, nested: secret("string for an object") } });
  await send("PUT", `${thing}5`, `{ "properties": { "password": "${secret("in broken JSON")}" `);
  await send("PUT", `${thing}6`, `password=${secret("in a form")}`, { "content-type": "text/plain" });
  await send("POST", `${thing}/listSecrets`, { password: secret("in an action's body") });
  await send("GET", thing, undefined, { authorization: `Bearer ${secret("unknown token")}` });
  await send("GET", thing, undefined, { authorization: `Basic ${secret("basic credentials")}` });
  await send("DELETE", thing);
  await send("GET", "/audit");
  await send("GET", "/metrics");
  await send("GET", "/openapi.json");
  return collected.join("\n");

  async function send(method: string, target: string, body?: unknown, headers = {}): Promise<number> {
    const response = await fetch(`${server.url}${target}?api-version=${apiVersion}`, {
      method,
      headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    collected.push(`${method} ${target} ${response.status}`, await response.text());
    collected.push(JSON.stringify([...response.headers]));
    const operation = response.headers.get("azure-asyncoperation");
    if (operation !== null) {
      const [, namespace = ""] = /\/providers\/([^/]+)/.exec(operation) ?? [];
      const id = new URL(operation).pathname.split("/").at(-1) ?? "";
      collected.push(JSON.stringify(await operationEnd(server, namespace, id)));
    }
    return response.status;
  }
}

/** Values to look for, in every spelling they might take. */
class Canaries {
  readonly #known = new Map<string, string>();

  make(what: string): string {
    const value = `canary-${randomBytes(12).toString("hex")}`;
    this.add(what, value);
    return value;
  }

  add(what: string, value: string): void {
    for (const spelling of [value, encodeURIComponent(value)]) {
      this.#known.set(spelling, what);
      this.#known.set(Buffer.from(spelling).toString("hex"), `${what}, as hex`);
      // Without the last characters, which depend on what follows.
      this.#known.set(Buffer.from(spelling).toString("base64").slice(0, -4), `${what}, as base64`);
    }
  }

  /** The words of a secret file, where it exists. */
  async addFile(what: string, file: string): Promise<void> {
    const text = await readFile(file, "utf8").catch(() => "");
    for (const word of text.split(/\s+/).filter((part) => part.length > 20)) {
      this.add(what, word);
    }
  }

  assertAbsent(where: string, text: string): void {
    for (const [value, what] of this.#known) {
      assert.ok(!text.includes(value), `${where} shows the ${what}`);
    }
  }
}

async function filesIn(folder: string): Promise<string> {
  const contents: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const isConfiguration = entry.name.endsWith(".json"); // written by this test, with the database's URL in it
    if (entry.isFile() && !secretFiles.includes(entry.name) && !isConfiguration) {
      contents.push(await readFile(path.join(entry.parentPath, entry.name), "latin1"));
    }
  }
  return contents.join("\n");
}

async function everyRow(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    const contents: string[] = [];
    for (const { name } of tables.rows) {
      contents.push(JSON.stringify((await client.query(`SELECT * FROM ${name}`)).rows));
    }
    return contents.join("\n");
  } finally {
    await client.end();
  }
}

interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly received: () => string;
}

/** Takes whatever telemetry is sent to it. */
async function startCollector(): Promise<Collector> {
  let received = "";
  const server: HttpServer = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
    });
    request.on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received: () => received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await sleep(0);
    },
  };
}
