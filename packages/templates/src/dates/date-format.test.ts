import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { formatInstant } from "./date-format.ts";
import { parseInstant } from "./instant.ts";

const afternoon = parseInstant("2019-03-05T17:03:08.0120000Z") ?? 0n;
const midnight = parseInstant("2020-11-01T00:00:00Z") ?? 0n;

const formats: readonly (readonly [format: string, text: string | undefined])[] = [
  ["d", "03/05/2019"],
  ["D", "Tuesday, 05 March 2019"],
  ["t", "17:03"],
  ["T", "17:03:08"],
  ["f", "Tuesday, 05 March 2019 17:03"],
  ["F", "Tuesday, 05 March 2019 17:03:08"],
  ["g", "03/05/2019 17:03"],
  ["G", "03/05/2019 17:03:08"],
  ["M", "March 05"],
  ["m", "March 05"],
  ["o", "2019-03-05T17:03:08.0120000Z"],
  ["O", "2019-03-05T17:03:08.0120000Z"],
  ["r", "Tue, 05 Mar 2019 17:03:08 GMT"],
  ["R", "Tue, 05 Mar 2019 17:03:08 GMT"],
  ["s", "2019-03-05T17:03:08"],
  ["u", "2019-03-05 17:03:08Z"],
  ["U", "Tuesday, 05 March 2019 17:03:08"],
  ["y", "2019 March"],
  ["Y", "2019 March"],
  ["x", undefined],
  ["", undefined],
  ["yyyyMMddTHHmmssZ", "20190305T170308Z"],
  ["M d", "3 5"],
  ["%d", "5"],
  ["yyyy %d%M", "2019 53"],
  ["%dd", "55"],
  ["%%", undefined],
  ["yyyy%", undefined],
  ["yy y yyyyy", "19 19 02019"],
  ["ddd MMM", "Tue Mar"],
  ["h:m:s tt t", "5:3:8 PM P"],
  ["hh", "05"],
  ["f ff fff fffffff", "0 01 012 0120000"],
  ["s.FFF s.F", "8.012 8"],
  ["FFFFFFF", "012"],
  ["z zz zzz K", "+0 +00 +00:00 Z"],
  ["'at' HH\"h\" \\d", "at 17h d"],
  ["'it\\'s' d", "it's 5"],
  ["'open", undefined],
  ["d\\", undefined],
  ["ffffffff", undefined],
  ["-".repeat(1_000), "-".repeat(1_000)],
  ["-".repeat(1_001), undefined],
];

for (const [format, text] of formats) {
  it(`a moment in the format ${JSON.stringify(format.slice(0, 30))} is ${JSON.stringify(text?.slice(0, 30))}`, () => {
    assert.equal(formatInstant(afternoon, format), text);
  });
}

it("midnight is twelve o'clock in the morning", () => {
  assert.equal(formatInstant(midnight, "hh:mm tt"), "12:00 AM");
});

it("a moment in the round-trip format is read again as the same moment", () => {
  const ticks = fc.bigInt(-62_135_596_800n * 10_000_000n, 253_402_300_800n * 10_000_000n - 1n);
  fc.assert(
    fc.property(ticks, (instant) => {
      assert.equal(parseInstant(formatInstant(instant, "o") ?? ""), instant);
    }),
  );
});

it("offsets are taken off, and what is no date is refused", () => {
  assert.equal(parseInstant("2020-01-01T02:00:00+02:00"), parseInstant("2020-01-01T00:00:00Z"));
  assert.equal(parseInstant("2019-12-31 22:30 -0130"), parseInstant("2020-01-01"));
  assert.equal(parseInstant("20200101T020000+02"), parseInstant("2020-01-01"));
  for (const text of [
    "",
    "2020-13-01",
    "2020-02-30",
    "2020-01-01T24:01:00Z",
    "2020-01-01T00:60:00Z",
    "2020-01-01+15:00",
    "2020-01-01-05",
  ]) {
    assert.equal(parseInstant(text), undefined, text);
  }
});
