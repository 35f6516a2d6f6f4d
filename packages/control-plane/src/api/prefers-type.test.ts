import assert from "node:assert/strict";
import { it } from "node:test";
import { prefersType } from "./prefers-type.ts";

for (const [accept, expected] of [
  [undefined, false],
  ["", false],
  ["*/*", false],
  ["text/*", false],
  ["application/json", false],
  ["application/json, text/plain, */*", false],
  ["text/event-stream", true],
  ["TEXT/Event-Stream; charset=utf-8", true],
  ["text/event-stream;q=0", false],
  ["text/event-stream;q=0.000", false],
  ["text/event-stream;q=0.1", true],
  ["text/event-stream;q=high", false],
  ["text/event-stream;q=2", false],
  ["text/event-stream, application/json;q=0.9", true],
  ["application/json;q=0.9, text/event-stream", true],
  ["text/event-stream;q=0.9, application/json", false],
  ["text/event-stream ; q = 0.9 ,application/json;q=0.8", true],
  ["text/event-stream, application/json", true],
  ["application/json, text/event-stream", false],
  ["text/event-stream, */*", true],
  ["*/*, text/event-stream", true],
  ["text/event-stream;q=0.5, */*", false],
  ["text/event-stream;q=0.5, */*;q=0.1", true],
  ["text/event-stream;q=0.5, application/*;q=0.8, */*;q=0.1", false],
  ["text/event-stream, application/json;q=0", true],
  ["text/event-streams", false],
  ["x-text/event-stream", false],
] as const) {
  it(`${expected ? "streams events" : "sends JSON"} for ${accept === undefined ? "no Accept" : `Accept: ${accept}`}`, () => {
    assert.equal(prefersType(accept, "text/event-stream"), expected);
  });
}
