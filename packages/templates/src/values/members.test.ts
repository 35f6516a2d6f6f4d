import assert from "node:assert/strict";
import { it } from "node:test";
import { getMember, ObjectBuilder } from "./members.ts";
import type { Value } from "./value.ts";

it("a member is found by its exact spelling first and in any letter case then", () => {
  for (const padding of [0, 50]) {
    const members: [string, Value][] = Array.from({ length: padding }, (_, index) => [`m${index}`, null]);
    const object = new Map<string, Value>([...members, ["first", 1n], ["FIRST", 2n], ["ΟΔΟΣ", 3n], ["\u212a", 4n]]);

    assert.equal(getMember(object, "FIRST"), 2n);
    assert.equal(getMember(object, "First"), 1n);
    assert.equal(getMember(object, "second"), undefined);
    // A sigma has two small forms; the sign of the kelvin is no letter k.
    assert.equal(getMember(object, "οδος"), 3n);
    assert.equal(getMember(object, "οδοσ"), 3n);
    assert.equal(getMember(object, "k"), undefined);
  }
});

it("a builder keeps the first spelling and the last value", () => {
  const builder = new ObjectBuilder(
    new Map<string, Value>([
      ["Name", 1n],
      ["NAME", 2n],
    ]),
  );

  builder.set("name", 3n);
  builder.set("NAME", 4n);
  builder.set("other", 5n);
  builder.set("OTHER", 6n);

  assert.deepEqual(
    [...builder.build()],
    [
      ["Name", 3n],
      ["NAME", 4n],
      ["other", 6n],
    ],
  );
});
