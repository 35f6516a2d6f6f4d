import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import type { JsonValue } from "@rad/core";
import { KeyRing } from "./key-ring.ts";

const first = { id: "first", secret: new Uint8Array(32).fill(1) };
const second = { id: "second", secret: new Uint8Array(32).fill(2) };
const ring = new KeyRing({ keys: [first, second] });

it("opens whatever it sealed", () => {
  const value = fc.jsonValue() as fc.Arbitrary<JsonValue>;
  const pointer = fc.string().map((text) => `/${text}`);
  fc.assert(
    fc.property(fc.string(), fc.dictionary(pointer, value, { minKeys: 1 }), (key, secrets) => {
      const sealed = ring.seal(key, secrets);

      assert.equal(JSON.stringify(ring.open(key, sealed ?? "")), JSON.stringify({ ...secrets }));
    }),
    { numRuns: 100 },
  );
});

it("seals nothing when there is nothing to seal", () => {
  assert.equal(ring.seal("/a", {}), null);
});

it("seals the same value differently each time", () => {
  const nonces = Array.from({ length: 2_000 }, () => ring.seal("/a", { "/p": "x" })?.split(".")[2]);

  assert.equal(new Set(nonces).size, 2_000);
  assert.ok(nonces.every((nonce) => nonce?.length === 16));
});

it("does not open a value that was moved to another document or another place", () => {
  const sealed = ring.seal("/a", { "/p": "x" }) ?? "";

  assert.throws(() => ring.open("/b", sealed), { code: "CannotOpen" });
  assert.throws(() => ring.open("/a", sealed.replace('"/p"', '"/q"')), { code: "CannotOpen" });
});

it("does not open a value of which any character was changed", () => {
  const envelope = Object.values(JSON.parse(ring.seal("/a", { "/p": "x" }) ?? "") as Record<string, string>)[0] ?? "";
  for (let index = 0; index < envelope.length; index += 1) {
    // `h` and `A` differ in their first bits; the last ones of a base64 text may carry nothing.
    const changed = envelope.slice(0, index) + (envelope[index] === "A" ? "h" : "A") + envelope.slice(index + 1);

    assert.throws(() => ring.open("/a", JSON.stringify({ "/p": changed })), { code: "CannotOpen" }, changed);
  }
});

it("does not open a value that was cut short", () => {
  const [version, keyId, nonce] =
    Object.values(JSON.parse(ring.seal("/a", { "/p": "x" }) ?? "") as Record<string, string>)[0]?.split(".") ?? [];
  for (const envelope of ["", "v1", `${version}.${keyId}.${nonce}`, `${version}.${keyId}.${nonce}.AAAA`]) {
    assert.throws(() => ring.open("/a", JSON.stringify({ "/p": envelope })), { code: "CannotOpen" });
  }
});

it("opens with any key of the ring, and with none outside it", () => {
  const bySecond = new KeyRing({ keys: [second] });
  const sealed = bySecond.seal("/a", { "/p": "x" }) ?? "";

  assert.deepEqual(ring.open("/a", sealed), { "/p": "x" });
  assert.throws(() => new KeyRing({ keys: [first] }).open("/a", sealed), { code: "CannotOpen" });
});

it("refuses rings that cannot work", () => {
  const wrong = [
    [],
    [first, first],
    [{ id: "short", secret: new Uint8Array(16) }],
    [{ id: "a.b", secret: first.secret }],
    [{ id: "", secret: first.secret }],
  ];
  for (const keys of wrong) {
    assert.throws(() => new KeyRing({ keys }), { code: "CannotOpen" });
  }
});
