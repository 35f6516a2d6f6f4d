import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import {
  legacyStateHash,
  objectKey,
  schemaName,
  secretSuffix,
  stateHash,
  statePath,
  withLetter,
} from "./state-name.ts";

const resourceId = "/planes/radius/local/resourceGroups/default/providers/Applications.Datastores/redisCaches/cache";
const owner = { resourceId, environmentName: "env", applicationName: "app" };

it("names are those of upstream", () => {
  assert.equal(stateHash(owner), "cacf81f79852e7137301e6589490baf2c4f9ef10");
  assert.equal(legacyStateHash(owner), "9df7064699b25dd2f9d0051ed5e395a26a1be95b");
  assert.equal(stateHash({ resourceId, environmentName: "env" }), "149edd1060b5115139fc757445d69e6590175417");
});

it("case does not count, and an empty application is none", () => {
  const shouted = { resourceId: resourceId.toUpperCase(), environmentName: "ENV", applicationName: "App" };
  assert.equal(stateHash(shouted), stateHash(owner));
  assert.equal(stateHash({ ...owner, applicationName: "" }), "149edd1060b5115139fc757445d69e6590175417");
});

const hash = stateHash(owner);
const names = [
  [
    "a suffix before the name of the state",
    secretSuffix("prod-terraform-state", owner),
    `prod-terraform-state-${hash}`,
  ],
  ["no suffix", secretSuffix("", owner), hash],
  ["a key", objectKey("prod/terraform.tfstate", owner), `prod/terraform/${hash}.tfstate`],
  ["a key without an ending", objectKey("prod/", owner), `prod/${hash}.tfstate`],
  ["a key that is an ending alone", objectKey(".tfstate", owner), `${hash}.tfstate`],
  ["a path", statePath("states/prod/", owner), `states/prod/${hash}`],
  ["no path", statePath("", owner), hash],
  ["a schema", schemaName("terraform_remote_state", owner), `terraform_remote_state_${hash}`],
] as const;
for (const [what, actual, expected] of names) {
  it(`one state for each resource: ${what}`, () => {
    assert.equal(actual, expected);
  });
}

const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);

it("suffixes have at most 63 characters, are names of DNS and never end in a number", () => {
  fc.assert(
    fc.property(label, fc.string(), fc.string(), (prefix, resource, environment) => {
      const suffix = secretSuffix(prefix, { resourceId: resource, environmentName: environment });

      assert.match(suffix, /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
      assert.doesNotMatch(suffix, /(^|-)[0-9]+$/);
      assert.equal(suffix, secretSuffix(prefix, { resourceId: resource, environmentName: environment }));
    }),
  );
});

it("prefixes and resources that differ have states that differ", () => {
  fc.assert(
    fc.property(label, label, (one, other) => {
      fc.pre(one !== other);
      assert.notEqual(secretSuffix(one, owner), secretSuffix(other, owner));
      const another = { ...owner, resourceId: `${resourceId}${other}` };
      assert.notEqual(secretSuffix(one, owner), secretSuffix(one, another));
    }),
  );
});

it("a hash of digits alone gets a letter", () => {
  assert.equal(withLetter("1234567890"), "123456789a");
  assert.equal(withLetter("12a4567890"), "12a4567890");
});

it("names of schemas have at most 63 bytes, whatever the prefix", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (prefix) => {
      assert.ok(Buffer.byteLength(schemaName(prefix, owner)) <= 63);
    }),
  );
});
