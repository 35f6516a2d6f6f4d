import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { it } from "node:test";
import fc from "fast-check";
import { sha1 } from "../sha1.ts";
import { decodeBase64, decodeUtf8, encodeBase64, encodeUtf8 } from "./bytes.ts";
import { foldCase, toLowerInvariant, toUpperInvariant } from "./letter-case.ts";
import { percentDecode, percentEncode } from "./percent-encoding.ts";
import { compareText } from "./text-order.ts";

it("letter case maps one character to one character", () => {
  assert.equal(toUpperInvariant("straße ŉ ı ǆ 𐐨"), "STRAßE ŉ ı Ǆ 𐐀");
  assert.equal(toLowerInvariant("ΟΔΟΣ İ 𐐀"), "οδοσ İ 𐐨");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.equal(foldCase(text).length, text.length);
      assert.equal(toLowerInvariant(text).length, text.length);
    }),
  );
});

it("texts sort like in a dictionary, small letters before capital ones", () => {
  const sorted = ["b", "A", "_", "a", "B", "é", "1", "e", "aB", "ab", "f"].sort(compareText);

  assert.deepEqual(sorted, ["_", "1", "a", "A", "ab", "aB", "b", "B", "e", "é", "f"]);
});

it("names sort as the collator sorts them", () => {
  const collator = new Intl.Collator("en");
  const name = fc.string({ unit: fc.constantFrom("a", "b", "z", "A", "B", "Z", "0", "1", "9", "_"), maxLength: 5 });

  fc.assert(
    fc.property(name, name, (left, right) => {
      assert.equal(Math.sign(compareText(left, right)), collator.compare(left, right), `${left} ${right}`);
    }),
    { numRuns: 2000 },
  );
});

it("base64 agrees with Node's own", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = encodeBase64(bytes);

      assert.equal(text, Buffer.from(bytes).toString("base64"));
      assert.deepEqual(decodeBase64(text), bytes);
    }),
  );
  assert.equal(encodeBase64(new Uint8Array(20_000)), Buffer.alloc(20_000).toString("base64"));
});

it("a byte order mark and lone surrogates survive or become replacement characters", () => {
  assert.equal(decodeUtf8(encodeUtf8("\uFEFFa")), "\uFEFFa");
  assert.equal(decodeUtf8(encodeUtf8("\uD800")), "\uFFFD");
});

it("percent-encoding is undone by percent-decoding", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const encoded = percentEncode(text);

      assert.match(encoded, /^(?:[A-Za-z0-9\-_.~]|%[0-9A-F]{2})*$/);
      assert.equal(percentDecode(encoded), text);
    }),
  );
});

it("escapes that stand for no character stay", () => {
  assert.equal(percentDecode("%E2%82%AC%E2%82x%C3%28%"), "€%E2%82x%C3(%");
});

it("SHA-1 agrees with Node's own", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      assert.equal(Buffer.from(sha1(bytes)).toString("hex"), createHash("sha1").update(bytes).digest("hex"));
    }),
  );
});
