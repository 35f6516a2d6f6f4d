import assert from "node:assert/strict";
import { it } from "node:test";
import { LogPosition } from "./log-position.ts";

it("reads lines without their time", () => {
  const position = new LogPosition();

  assert.equal(position.take("2026-11-16T18:00:00.5Z a line"), "a line");
  assert.equal(position.take("2026-11-16T18:00:01.123456789+01:00 "), "");
  assert.equal(position.take("no time"), "no time");
});

it("takes lines of the last second once after a new connection, in spite of equal times", () => {
  const position = new LogPosition();
  const lines = [
    "2026-11-16T18:00:00.12Z first",
    "2026-11-16T18:00:00.123Z second",
    "2026-11-16T18:00:00.123Z third",
    "2026-11-16T18:00:00.123Z fourth",
  ];
  const read = lines.slice(0, 3).map((line) => position.take(line));

  position.resume();
  const again = lines.map((line) => position.take(line));

  assert.deepEqual(read, ["first", "second", "third"]);
  assert.deepEqual(again, [undefined, undefined, undefined, "fourth"]);
  assert.equal(position.since, "2026-11-16T18:00:00.123000000Z");
});
