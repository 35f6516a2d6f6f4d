import assert from "node:assert/strict";
import { it } from "node:test";
import type { Caller } from "@rad/resources";
import { readSystemDataHeader } from "./system-data-header.ts";

const proxy: Caller = { kind: "frontProxy", subject: "proxy:alice", groups: [] };
const local: Caller = { kind: "token", subject: "local-admin", groups: [] };
const header = JSON.stringify({ createdBy: "mallory", createdAt: "2020-01-01T00:00:00Z" });

it("the header counts from the front proxy only", () => {
  assert.equal(readSystemDataHeader(local, header), undefined);
  assert.deepEqual(readSystemDataHeader(proxy, header), { createdBy: "mallory", createdAt: "2020-01-01T00:00:00Z" });
});

it("a header that is not the six text fields is refused", () => {
  for (const bad of ["{", "[]", "null", '{"createdBy":1}', JSON.stringify({ createdBy: "x".repeat(600) })]) {
    assert.throws(() => readSystemDataHeader(proxy, bad), { code: "BadRequest" });
  }
});

it("names are read as UTF-8, and bytes that are no text are refused", () => {
  const asNodeReadsIt = Buffer.from('{"createdBy":"José"}', "utf8").toString("latin1");

  assert.deepEqual(readSystemDataHeader(proxy, asNodeReadsIt), { createdBy: "José" });
  assert.throws(() => readSystemDataHeader(proxy, '{"createdBy":"\xe9"}'), { code: "BadRequest" });
});
