import assert from "node:assert/strict";
import { it } from "node:test";
import { systemClock } from "@rad/core";
import { formatDuration, parseDuration } from "./iso-duration.ts";
import { Timestamps } from "./timestamps.ts";

for (const [text, ms] of [
  ["PT0S", 0],
  ["PT1.5S", 1_500],
  ["PT2M", 120_000],
  ["PT1H1M1S", 3_661_000],
] as const) {
  it(`writes and reads the duration ${text}`, () => {
    assert.equal(formatDuration(ms), text);
    assert.equal(parseDuration(text), ms);
  });
}

it("reads longer ones, and nothing that is no duration", () => {
  assert.equal(parseDuration("P1DT1S"), 86_401_000);
  assert.equal(parseDuration("P1W"), 7 * 86_400_000);
  assert.equal(parseDuration("P1Y1M"), 395 * 86_400_000);
  for (const text of ["", "P", "PT", "1H", "PT5", "P1X"]) {
    assert.equal(parseDuration(text), undefined, text);
  }
});

it("starts after the times of others, whatever the clock says", () => {
  const timestamps = new Timestamps({ now: () => new Date("2023-11-14T22:13:20.000Z") });

  timestamps.startAfter("2023-11-14T22:13:20.5000007Z");
  timestamps.startAfter("2023-11-14T22:13:19.0000000Z");
  timestamps.startAfter("2023-11-14T22:13:20.5000003Z");
  timestamps.startAfter("no time");

  assert.equal(timestamps.next(), "2023-11-14T22:13:20.5000008Z");
});

it("gives later and later times, also when the clock stands or goes back", () => {
  let now = 1_700_000_000_000;
  const timestamps = new Timestamps({ ...systemClock, now: () => new Date(now) });
  const given = Array.from({ length: 25_000 }, () => timestamps.next());
  now -= 5_000;
  given.push(timestamps.next());

  assert.equal(given[0], "2023-11-14T22:13:20.0000000Z");
  assert.ok(given.every((time, index) => index === 0 || time > (given[index - 1] ?? "")));
});
