import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { atOnce, type JsonValue } from "@rad/core";
import { KeyRing } from "./key-ring.ts";

const first = { id: "first", secret: new Uint8Array(32).fill(1) };
const second = { id: "second", secret: new Uint8Array(32).fill(2) };
const ring = new KeyRing({ keys: [first, second] });
const seal = (key: string, secrets: Record<string, JsonValue>, by = ring): string | null =>
  atOnce(by.seal(key, secrets));
const open = (key: string, sealed: string, by = ring): unknown => atOnce(by.open(key, sealed));

/** Two values as they were sealed one by one, with the key `first`. */
const sealedSingly =
  '{"/p":"v1.first.Ceru_lLabbJN3Phw.h-m8R6WRA8O1ZweCK28A8OTbig","/q":"v1.first.qcZFNSNXVL31CX_A.pTUBpjFBPUhWblcBipVBNWTjcZODOIzesXhlAGdKWX_9"}';

it("opens whatever it sealed", () => {
  const value = fc.jsonValue() as fc.Arbitrary<JsonValue>;
  const pointer = fc.string().map((text) => `/${text}`);
  fc.assert(
    fc.property(fc.string(), fc.dictionary(pointer, value, { minKeys: 1 }), (key, secrets) => {
      const sealed = seal(key, secrets);

      assert.equal(JSON.stringify(open(key, sealed ?? "")), JSON.stringify({ ...secrets }));
    }),
    { numRuns: 100 },
  );
});

it("seals nothing when there is nothing to seal", () => {
  assert.equal(seal("/a", {}), null);
});

it("seals the same value differently each time", () => {
  const nonces = Array.from({ length: 2_000 }, () => seal("/a", { "/p": "x" })?.split(".")[2]);

  assert.equal(new Set(nonces).size, 2_000);
  assert.ok(nonces.every((nonce) => nonce?.length === 16));
});

it("does not open values that were moved to another document", () => {
  assert.throws(() => open("/b", seal("/a", { "/p": "x" }) ?? ""), { code: "CannotOpen" });
});

it("does not open values of which any character was changed", () => {
  const envelope = seal("/a", { "/p": "x" }) ?? "";
  for (let index = 0; index < envelope.length; index += 1) {
    // `h` and `A` differ in their first bits; the last ones of a base64 text may carry nothing.
    const changed = envelope.slice(0, index) + (envelope[index] === "A" ? "h" : "A") + envelope.slice(index + 1);

    assert.throws(() => open("/a", changed), { code: "CannotOpen" }, changed);
  }
});

it("does not open values that were cut short", () => {
  const [version, keyId, nonce] = seal("/a", { "/p": "x" })?.split(".") ?? [];
  for (const envelope of ["", "v2", `${version}.${keyId}.${nonce}`, `${version}.${keyId}.${nonce}.AAAA`]) {
    assert.throws(() => open("/a", envelope), { code: "CannotOpen" });
  }
});

it("opens what was sealed value by value, each in its place only", () => {
  assert.deepEqual(open("/a", sealedSingly), { "/p": "x", "/q": { deep: [1, null] } });
  assert.throws(() => open("/b", sealedSingly), { code: "CannotOpen" });
  assert.throws(() => open("/a", sealedSingly.replace('"/p"', '"/r"')), { code: "CannotOpen" });
  const single = (JSON.parse(sealedSingly) as Record<string, string>)["/p"] ?? "";
  assert.throws(() => open("/a", single), { code: "CannotOpen" });
  assert.throws(() => open("/a", single.replace("v1", "v2")), { code: "CannotOpen" });
});

it("seals a hundred thousand values into little more than their text, with pauses", () => {
  const secrets = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`/p/${index}`, `value ${index}`]));
  const sealing = ring.seal("/a", secrets);
  let pauses = 0;
  let step = sealing.next();
  for (; step.done !== true; step = sealing.next()) {
    pauses += 1;
  }

  assert.ok(pauses > 0);
  assert.ok((step.value ?? "").length < 1.4 * JSON.stringify(secrets).length);
  assert.deepEqual(open("/a", step.value ?? ""), secrets);
});

it("opens with any key of the ring, and with none outside it", () => {
  const sealed = seal("/a", { "/p": "x" }, new KeyRing({ keys: [second] })) ?? "";

  assert.deepEqual(open("/a", sealed), { "/p": "x" });
  assert.throws(() => open("/a", sealed, new KeyRing({ keys: [first] })), { code: "CannotOpen" });
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
