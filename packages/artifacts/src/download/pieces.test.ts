import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Pieces } from "./pieces.ts";

test("pieces of any size come out in order, and each of them once", () => {
  const sizes = fc.array(fc.oneof(fc.nat(3), fc.integer({ min: 1022, max: 1026 })), { maxLength: 3000, size: "max" });
  fc.assert(
    fc.property(sizes, fc.nat(3000), (lengths, takenAfter) => {
      const pieces = new Pieces();
      const all = lengths.map((length, index) => Buffer.alloc(length, index % 251));
      const taken: Buffer[] = [];

      for (const [index, piece] of all.entries()) {
        if (index === takenAfter) {
          taken.push(...pieces.take());
        }
        pieces.add(piece);
      }
      const expected = Buffer.concat(all);
      assert.equal(pieces.bytes, expected.length - Buffer.concat(taken).length);
      assert.ok(Buffer.concat([...taken, ...pieces.take()]).equals(expected));
      assert.deepEqual([pieces.bytes, pieces.take()], [0, []]);
    }),
    { numRuns: 30 },
  );
});

test("single bytes are kept together", () => {
  const pieces = new Pieces();
  for (let count = 0; count < 10_000; count += 1) {
    pieces.add(Buffer.from("x"));
  }

  assert.equal(pieces.take().length, 10);
});
