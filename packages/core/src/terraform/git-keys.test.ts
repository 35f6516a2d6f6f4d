import assert from "node:assert/strict";
import { test } from "node:test";
import { gitKeyOf } from "./git-keys.ts";

for (const [keys, pat, username] of [
  [["pat", "username"], "pat", "username"],
  [["pat"], "pat", undefined],
  [["tls.pat", "tls.username"], "tls.pat", "tls.username"],
  [["pat", "tls.pat"], "pat", undefined],
  [["a.pat", "b.pat", "b.username"], undefined, "b.username"],
  [["PAT", "spat", "pat."], undefined, undefined],
  [[], undefined, undefined],
] as const) {
  test(`a secret with the keys [${keys.join(", ")}] has its token in ${pat} and its user name in ${username}`, () => {
    assert.equal(gitKeyOf(keys, "pat"), pat);
    assert.equal(gitKeyOf(keys, "username"), username);
  });
}
