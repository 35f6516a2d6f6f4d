import assert from "node:assert/strict";
import { test } from "node:test";
import { iconHash } from "./icon-hash.ts";

test("the hash of an icon is the SHA-256 of its text", () => {
  assert.equal(iconHash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
