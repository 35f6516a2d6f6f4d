import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, it } from "node:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Exchange, type ExpectedResponse, readSessions } from "./recording.ts";
import { replay } from "./replay.ts";

let server: Server;
let target: { url: string; token: string };
let polls = 0;
const id = "6f0c6f0c-0000-4000-8000-000000000000";

before(async () => {
  server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  target = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: "t" };
});
after(() => server.close());
beforeEach(() => {
  polls = 0;
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  const send = (status: number, body: object, headers = {}): void => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
  if (request.method === "PUT") {
    send(
      201,
      { id: "/x", state: "Accepted", tags: {}, list: [1, 2] },
      { location: `${target.url}/operations/${id}`, "retry-after": "1" },
    );
  } else if (request.url === `/operations/${id}`) {
    polls += 1;
    send(200, { name: id, status: polls < 3 ? "Updating" : "Succeeded" });
  } else {
    send(404, { error: { code: "NotFound" } });
  }
}

const put: Exchange = {
  request: { method: "PUT", url: "/x", body: { a: 1 } },
  response: {
    status: 201,
    headers: { Location: "{{server}}/operations/{{operation:uuid}}", "retry-after": "1", etag: null },
    body: { id: "/x", state: "Accepted", tags: {}, list: [1, 2] },
  },
};
const poll: Exchange = {
  request: { method: "GET", url: "{{server}}/operations/{{operation}}" },
  while: { includes: { status: "Updating" } },
  response: { status: 200, body: { name: "{{operation}}", status: "Succeeded" } },
};

const differencesOf = async (...exchanges: Exchange[]): Promise<string[]> =>
  (await replay([{ file: "f.json", command: "c", exchanges }], target)).map(({ text }) => text);

it("sends a session in order, with what earlier answers gave, and repeats while told to", async () => {
  assert.deepEqual(await differencesOf(put, poll), []);
  assert.equal(polls, 3);
});

const differing: readonly (readonly [string, ExpectedResponse, RegExp])[] = [
  ["another status", { status: 200 }, /^status: expected 200, got 201/],
  ["another header", { headers: { "retry-after": "5" } }, /^header retry-after: expected "5", got "1"/],
  ["a header too many", { headers: { location: null } }, /^header location: expected null/],
  ["a header that is missing", { headers: { etag: "{{:any}}" } }, /^header etag: expected/],
  ["a member too many", { body: { id: "/x", state: "Accepted" } }, /^\$\.tags: not expected/],
  ["a member that is missing", { includes: { name: "x" } }, /^\$\.name: expected "x", got nothing/],
  ["another value", { includes: { state: "Succeeded" } }, /^\$\.state: expected "Succeeded", got "Accepted"/],
  ["another order", { body: { id: "/x", state: "Accepted", tags: {}, list: [2, 1] } }, /^\$\.list\[0\]: expected 2/],
  ["an item that is missing", { includes: { list: [2, 3] } }, /^\$\.list: no item like 3 in \[1,2\]/],
  ["a body where none is expected", { body: null }, /^\$: expected nothing/],
  ["something that is no time", { includes: { state: "{{:time}}" } }, /^\$\.state/],
];
for (const [what, response, expected] of differing) {
  it(`tells ${what}`, async () => {
    const [first = ""] = await differencesOf({ ...put, response });

    assert.match(first, expected);
  });
}

it("of a list that is included, any order will do", async () => {
  assert.deepEqual(await differencesOf({ ...put, response: { includes: { list: [2] } } }), []);
});

it("a placeholder must find the same again", async () => {
  const response = { includes: { id: "/{{same}}", state: "{{same}}" } };

  assert.match((await differencesOf({ ...put, response }))[0] ?? "", /^\$\.state/);
});

it("a session ends at its first difference", async () => {
  const differences = await differencesOf({ ...put, response: { status: 200 } }, poll);

  assert.equal(differences.length, 1);
  assert.equal(polls, 0);
});

it("a recording with a misspelled member is refused", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recordings-"));
  const exchange = { request: { method: "GET", url: "/x" }, response: { statsu: 200 } };
  await writeFile(join(folder, "a.json"), JSON.stringify({ command: "c", exchanges: [exchange] }));

  await assert.rejects(readSessions(folder), { name: "RecordingError", message: /exchanges\[0\]\.response: "statsu"/ });
  await rm(folder, { recursive: true });
});
