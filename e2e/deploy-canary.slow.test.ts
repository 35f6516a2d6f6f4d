import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { it } from "node:test";
import { isTerminal, type JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import { Client as Postgres } from "pg";
import { auditLines, clientOf, registerType } from "./support/api.ts";
import type { Server } from "./support/api.ts";
import { databases } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";
import { leakyType, steeredType } from "./support/handlers.ts";

/** Mistakes whose messages would like to quote what they stumble over. */
const clumsyExpressions = [
  "[int(parameters('secret'))]",
  "[json(parameters('secret'))]",
  "[bool(parameters('secret'))]",
  "[fail(parameters('secret'))]",
  "[parameters('keys')[parameters('secret')]]",
  "[parameters('keys').missing]",
  "[split(parameters('secret'), '-')[99]]",
  "[substring(parameters('secret'), 0, 1000)]",
  "[format(concat('{', parameters('secret')))]",
  "[dateTimeAdd(parameters('secret'), 'P1D')]",
  "[base64ToJson(base64(parameters('secret')))]",
  "[createObject(parameters('secret'))]",
  "[cidrSubnet(parameters('secret'), 24, 0)]",
  "[reference(concat('/planes/radius/local/', parameters('secret'))).x]",
  "[add(parameters('secret'), 1)]",
  "[union(parameters('secret'), parameters('keys'))]",
];

for (const [name, openDatabase] of Object.entries(databases)) {
  it(`${name}: what a deployment keeps secret shows up in no answer, log, audit record, row or file`, async () => {
    await using database = await openDatabase();
    const canaries = Array.from({ length: 4 }, () => `canary-${randomBytes(12).toString("hex")}`);
    const server = await database.startServer();
    const answers = new Answers(server);
    try {
      await prepare(server);
      await deployAll(answers, canaries);
      answers.add(JSON.stringify(await auditLines(server)));
      await server.end("SIGTERM");
    } finally {
      await server[Symbol.asyncDispose]();
    }

    assert.match(server.output, /\[redacted\]/, "the leaky handler's log line was not seen at all");
    assert.match(answers.text, /"SecureString"/, "no secure parameter was seen at all");
    for (const canary of canaries) {
      for (const spelling of [canary, Buffer.from(canary).toString("base64").slice(0, -4)]) {
        assert.ok(!answers.text.includes(spelling), `an answer shows it: ${answers.around(spelling)}`);
        assert.ok(!server.output.includes(spelling), "a log line shows it");
        assert.ok(!(await everythingStored(database)).includes(spelling), "a file or a row shows it");
      }
    }
  });
}

async function prepare(server: Server): Promise<void> {
  const properties = { text: {}, password: { type: "string", "x-radius-sensitive": true } };
  await clientOf(server).groups.put("test");
  await registerType(server, steeredType, properties);
  await registerType(server, leakyType, properties);
}

/** Deployments that succeed, fail, are refused, are cancelled and are asked about in every way there is. */
async function deployAll(answers: Answers, canaries: readonly string[]): Promise<void> {
  const [secret = "", key = "", changed = "", wrong = ""] = canaries;
  const parameters = { secret: { value: secret }, keys: { value: { inner: key } } };
  const things = {
    plain: thing(steeredType, "plain", "[parameters('secret')]"),
    inner: nested("inner", "inner", { secret: { value: "[parameters('keys').inner]" } }, innerTemplate()),
    open: open("open", "secret"),
    unmarked: nested(
      "unmarked",
      "inner",
      { plain: { value: "[concat('made of ', parameters('secret'))]" } },
      { ...template({ u: open("unmarked", "plain") }), parameters: { plain: { type: "string" } } },
    ),
    outer: nested("outer", "outer", undefined, template({ o: thing(steeredType, "outer", "[parameters('secret')]") })),
  };
  const outputs = {
    handed: { type: "securestring", value: "[listOutputsWithSecureValues('inner', '2025-04-01').handed]" },
    known: { type: "string", value: "[reference('plain').name]" },
  };
  const leaky = template({ leak: thing(leakyType, "leak", "[parameters('secret')]") });
  assert.equal(await answers.everyWay("good", template(things, outputs), parameters), "Succeeded");
  const other = { ...parameters, secret: { value: changed } };
  assert.equal(await answers.everyWay("good", template(things, outputs), other), "Succeeded");
  assert.equal(await answers.everyWay("leaky", leaky, parameters), "Failed");
  for (const [index, expression] of clumsyExpressions.entries()) {
    const late = { first: thing(steeredType, "first", ""), late: clumsyThing(expression) };
    const output = { o: { type: "string", value: expression } };
    assert.notEqual(await answers.everyWay(`late-${index}`, template(late), parameters), "Succeeded", expression);
    assert.notEqual(await answers.everyWay(`end-${index}`, template({}, output), parameters), "Succeeded", expression);
  }
  const choosy = template({});
  choosy["parameters"] = { secret: { type: "securestring", allowedValues: ["a"] }, keys: { type: "secureObject" } };
  const unfit = { secret: { value: wrong }, keys: { value: wrong } };
  assert.equal(await answers.everyWay("unfit", choosy, unfit), "refused");
}

function clumsyThing(expression: string): JsonObject {
  const { properties, ...rest } = thing(steeredType, "late", "[parameters('secret')]");
  const { name, properties: inner } = properties as { name: string; properties: JsonObject };
  return { ...rest, properties: { name, properties: { ...inner, text: expression } }, dependsOn: ["first"] };
}

function innerTemplate(): JsonObject {
  const handed = { type: "securestring", value: "[concat('made of ', parameters('secret'))]" };
  const inner = template({ i: thing(steeredType, "inner", "[parameters('secret')]") }, { handed });
  inner["parameters"] = { secret: { type: "securestring" } };
  return inner;
}

function thing(type: string, name: string, password: string): JsonObject {
  return { import: "radius", type: `${type}@2025-01-01`, properties: { name, properties: { password } } };
}

/** Members that no schema calls sensitive. */
function open(name: string, parameter: string): JsonObject {
  const value = `[parameters('${parameter}')]`;
  const text = { env: { PASSWORD: { value } }, list: ["a", `[base64(${value.slice(1, -1)})]`], open: "seen" };
  return { import: "radius", type: `${steeredType}@2025-01-01`, properties: { name, properties: { text } } };
}

function nested(
  name: string,
  scope: "inner" | "outer",
  parameters: JsonObject | undefined,
  content: JsonObject,
): JsonObject {
  const { parameters: declared, ...withoutParameters } = content;
  return {
    type: "Microsoft.Resources/deployments",
    apiVersion: "2025-04-01",
    name,
    properties: {
      mode: "Incremental",
      expressionEvaluationOptions: { scope },
      ...(parameters === undefined ? {} : { parameters }),
      template: scope === "outer" ? withoutParameters : { ...withoutParameters, parameters: declared ?? {} },
    },
  };
}

function template(resources: JsonObject, outputs: JsonObject = {}): JsonObject {
  return {
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    languageVersion: "2.0",
    contentVersion: "1.0.0.0",
    imports: { radius: { provider: "Radius", version: "latest" } },
    parameters: { secret: { type: "securestring" }, keys: { type: "secureObject" } },
    resources,
    outputs,
  };
}

/** Everything that a server answered. */
class Answers {
  readonly #server: Server;
  readonly #texts: string[] = [];

  constructor(server: Server) {
    this.#server = server;
  }

  get text(): string {
    return this.#texts.join("\n");
  }

  add(text: string): void {
    this.#texts.push(text);
  }

  around(found: string): string {
    const at = this.text.indexOf(found);
    return this.text.slice(Math.max(0, at - 300), at + 100);
  }

  /**
   * Validates, predicts, deploys, and then reads whatever can be read of it and of what is nested in it.
   * @returns how it ended
   */
  async everyWay(name: string, content: JsonObject, parameters: JsonObject): Promise<string> {
    const body = { properties: { mode: "Incremental", template: content, parameters } };
    const id = deployment(name);
    await this.#send("POST", `${id}/validate`, body);
    await this.#send("POST", `${id}/whatIf`, body);
    const accepted = await this.#send("PUT", id, body);
    const state = accepted.status < 300 ? await this.#ended(id) : "refused";
    for (const read of [id, deployment("inner"), deployment("outer")]) {
      await this.#send("GET", read);
      await this.#send("GET", `${read}/operations`);
      await this.#send("POST", `${read}/exportTemplate`);
    }
    await this.#send("POST", `${id}/whatIf`, body);
    await this.#send("GET", `${group}/providers/Microsoft.Resources/deployments`);
    await this.#send("GET", `${group}/resources`);
    return state;
  }

  async #ended(id: string): Promise<string> {
    return await until("the deployment has ended", async () => {
      const { text } = await this.#send("GET", id);
      const { properties } = JSON.parse(text) as { properties: { provisioningState: string } };
      return isTerminal(properties.provisioningState) && properties.provisioningState;
    });
  }

  async #send(method: string, target: string, body?: unknown): Promise<{ status: number; text: string }> {
    const response = await fetch(`${this.#server.url}${target}?api-version=2020-10-01`, {
      method,
      headers: { authorization: `Bearer ${this.#server.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    this.#texts.push(`${method} ${target} ${response.status}`, text, JSON.stringify([...response.headers]));
    return { status: response.status, text };
  }
}

const group = "/planes/radius/local/resourceGroups/test";

function deployment(name: string): string {
  return `${group}/providers/Microsoft.Resources/deployments/${name}`;
}

async function everythingStored(database: TestDatabase): Promise<string> {
  const contents: string[] = [];
  for (const entry of await readdir(database.folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) {
      contents.push(await readFile(path.join(entry.parentPath, entry.name), "latin1"));
    }
  }
  if (database.url !== undefined) {
    contents.push(await everyRow(database.url));
  }
  return contents.join("\n");
}

async function everyRow(url: string): Promise<string> {
  const client = new Postgres({ connectionString: url });
  await client.connect();
  try {
    const rows: unknown[] = [];
    for (const table of ["documents", "operations", "audit"]) {
      rows.push(...(await client.query(`SELECT * FROM ${table}`)).rows);
    }
    return JSON.stringify(rows);
  } finally {
    await client.end();
  }
}
