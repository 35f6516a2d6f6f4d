import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, it } from "node:test";
import { readDocuments } from "./documents.ts";
import { runExamples } from "./run-examples.ts";

const shared = {
  parameters: { Version: { name: "api-version", in: "query", type: "string" } },
  definitions: { Shelf: { type: "object", properties: { id: { type: "string", readOnly: true } }, required: ["id"] } },
};

const document = {
  swagger: "2.0",
  paths: {
    "/shelves/{shelfName}": {
      put: operation("Shelves_Put", { 200: { schema: { $ref: "../common/types.json#/definitions/Shelf" } } }, true),
      delete: operation("Shelves_Delete", { 202: { headers: { "Retry-After": { type: "integer" } } } }),
    },
    "/{rootScope}/providers/Library.Core/cards/{cardName}": {
      put: {
        operationId: "Cards_Put",
        parameters: [
          { name: "rootScope", in: "path", "x-ms-skip-url-encoding": true },
          { name: "resource", in: "body" },
        ],
        responses: { 200: { schema: { type: "object" } } },
      },
    },
    "/shelves/{shelfName}/books/{bookName}": {
      put: operation("Books_Put", { 200: { schema: { $ref: "#/definitions/Book" } } }, true),
      get: operation("Books_Get", { 200: { schema: { $ref: "#/definitions/Book" } } }),
    },
  },
  definitions: {
    Book: {
      type: "object",
      discriminator: "kind",
      properties: { kind: { type: "string" } },
      allOf: [{ $ref: "../common/types.json#/definitions/Shelf" }],
    },
    Novel: {
      "x-ms-discriminator-value": "novel",
      allOf: [{ $ref: "#/definitions/Book" }],
      properties: { pages: { type: "integer" } },
      required: ["pages"],
    },
  },
};

function operation(operationId: string, responses: object, body = false): object {
  const parameters = [{ $ref: "../common/types.json#/parameters/Version" }];
  return { operationId, responses, parameters: [...parameters, ...(body ? [{ name: "resource", in: "body" }] : [])] };
}

const examples = {
  // Deliberately out of order, with another spelling, and with a shelf that no example creates.
  A_Delete: {
    operationId: "SHELVE_Delete",
    parameters: { shelfName: "s1" },
    responses: { 202: { headers: { location: "x" } } },
  },
  Books_Get: { parameters: { "api-version": "1", shelfName: "s2", bookName: "b" }, responses: { 200: {} } },
  Books_Put: {
    operationId: "Books_Put",
    parameters: { shelfName: "s1", bookName: "b", Book: { kind: "novel" } },
    responses: { 200: {} },
  },
  Cards_Put: {
    parameters: { rootScope: "/planes/radius/local/resourceGroups/g", cardName: "a/b", resource: {} },
    responses: { 200: {} },
  },
  Shelves_Put: { operationId: "Shelves_Put", parameters: { shelfName: "s1", resource: {} }, responses: { 200: {} } },
  Secrets_Put: { operationId: "Secrets_Put", parameters: {}, responses: { 200: {} } },
};

let folder: string;
let server: Server;
let requests: string[];
let answer: (request: IncomingMessage) => { status?: number; headers?: Record<string, string>; body?: object };

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "conformance-"));
  await mkdir(path.join(folder, "api", "examples"), { recursive: true });
  await mkdir(path.join(folder, "common"));
  await writeFile(path.join(folder, "common", "types.json"), JSON.stringify(shared));
  await writeFile(path.join(folder, "api", "openapi.json"), JSON.stringify(document));
  for (const [name, example] of Object.entries(examples)) {
    await writeFile(path.join(folder, "api", "examples", `${name}.json`), JSON.stringify(example));
  }
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const { status = 200, headers = {}, body } = answer(request);
    response.writeHead(status, headers).end(body === undefined ? undefined : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

after(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

async function replay(): Promise<Map<string, readonly string[]>> {
  requests = [];
  const { port } = server.address() as AddressInfo;
  const target = { url: `http://127.0.0.1:${port}`, token: "t" };
  const outcomes = await runExamples(await readDocuments(folder), target, (id) => id.startsWith("Secrets"));
  return new Map(outcomes.map((outcome) => [outcome.example, outcome.problems]));
}

function good(request: IncomingMessage): ReturnType<typeof answer> {
  if (request.method === "DELETE") {
    return { status: 202, headers: { location: "http://x", "retry-after": "1" } };
  }
  return { body: { id: request.url, kind: "novel", pages: 3 } };
}

it("creates parents and groups first, makes what no example creates, keeps the slashes of a scope, and deletes at the end", async () => {
  answer = good;

  const outcomes = await replay();

  assert.deepEqual([...outcomes.values()], [[], [], [], [], []]);
  assert.deepEqual(requests, [
    "PUT /shelves/s1",
    "PUT /shelves/s1/books/b",
    "PUT /planes/radius/local/resourceGroups/g?api-version=2023-10-01-preview",
    "PUT /planes/radius/local/resourceGroups/g/providers/Library.Core/cards/a%2Fb",
    "PUT /shelves/s2",
    "PUT /shelves/s2/books/b",
    "GET /shelves/s2/books/b?api-version=1",
    "DELETE /shelves/s1",
  ]);
});

it("fails an example whose status it does not list", async () => {
  answer = (request) => ({ ...good(request), status: request.method === "GET" ? 404 : (good(request).status ?? 200) });

  const outcomes = await replay();

  assert.equal(outcomes.get("Books_Get")?.length, 1);
  assert.equal(outcomes.get("Books_Put")?.length, 0);
});

it("checks the body against the schema, through references into other files and for the variant it names", async () => {
  answer = (request) => (request.method === "PUT" ? { body: { kind: "novel" } } : good(request));

  const outcomes = await replay();

  const problems = outcomes.get("Books_Put")?.join("\n") ?? "";
  assert.match(problems, /'id'/);
  assert.match(problems, /'pages'/);
});

it("wants the headers that the example shows, of the declared type, and no body where none is declared", async () => {
  answer = (request) =>
    request.method === "DELETE" ? { status: 202, headers: { "retry-after": "soon" }, body: {} } : good(request);

  const outcomes = await replay();

  assert.equal(outcomes.get("A_Delete")?.length, 3);
});
