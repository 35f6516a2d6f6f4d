import assert from "node:assert/strict";
import { it } from "node:test";
import { loadServerConfig } from "../config/index.ts";
import { createAuthorizer } from "./authorizer.ts";
import { anonymousCaller, type Caller } from "@rad/resources";

const authorizer = createAuthorizer(
  loadServerConfig({
    env: {},
    text: `
authentication:
  tokens: [{ name: ci, sha256: ${"ab".repeat(32)} }]
  oidc: [{ issuer: "https://login.example.com", audience: radius }]
authorization:
  roles:
    - { name: Deployer, permissions: ["Applications.Core/*", "*/read"] }
  assignments:
    - { role: deployer, subject: "token:ci", scope: /planes/radius/local/resourceGroups/Dev }
    - { role: radius-reader, group: "oidc:people", scope: /planes/radius }
    - { role: radius-admin, subject: "oidc:boss", scope: / }
`,
  }).authorization,
);

const ci: Caller = { kind: "token", subject: "token:ci", groups: [] };
const reader: Caller = { kind: "oidc", subject: "oidc:ann", groups: ["oidc:others", "oidc:people"] };
const boss: Caller = { kind: "oidc", subject: "oidc:boss", groups: [] };
const localAdmin: Caller = { kind: "token", subject: "local-admin", groups: [] };
const dev = "/planes/radius/local/resourceGroups/dev";

const cases: readonly (readonly [who: string, Caller, permission: string, scope: string, allowed: boolean])[] = [
  ["a role counts at its scope", ci, "Applications.Core/containers/write", dev, true],
  ["a role counts below its scope", ci, "Applications.Core/containers/write", `${dev}/providers/A.B/c/d`, true],
  ["casing does not matter", ci, "APPLICATIONS.core/Containers/WRITE", dev.toUpperCase(), true],
  ["a final slash does not matter", ci, "Applications.Core/containers/write", `${dev}/`, true],
  ["a role does not count above its scope", ci, "Applications.Core/containers/write", "/planes/radius/local", false],
  ["a scope ends at a segment's boundary", ci, "Applications.Core/containers/write", `${dev}2`, false],
  ["a permission that no pattern covers is refused", ci, "Radius.Core/installer/write", dev, false],
  ["a role may come through a group", reader, "Radius.Core/environments/read", dev, true],
  ["a reader may not write", reader, "Radius.Core/environments/write", dev, false],
  ["a reader has no actions", reader, "Applications.Core/secretStores/listSecrets/action", dev, false],
  ["a reader sees only the scope given", reader, "System.AWS/planes/read", "/planes/aws/aws", false],
  ["an admin at the root may do anything", boss, "Radius.Core/installer/write", "/", true],
  ["the local token may do anything", localAdmin, "Applications.Core/secretStores/listSecrets/action", dev, true],
  ["nobody may do anything by default", anonymousCaller, "Applications.Core/containers/read", dev, false],
  ["a group is not a subject", { kind: "oidc", subject: "oidc:people", groups: [] }, "A.B/c/read", dev, false],
  ["a subject is not a group", { kind: "oidc", subject: "oidc:x", groups: ["oidc:boss"] }, "A.B/c/read", dev, false],
];

for (const [why, caller, permission, scope, allowed] of cases) {
  it(why, () => {
    assert.equal(authorizer.allows(caller, permission, scope), allowed);
    // The second answer comes from what was kept about the caller.
    assert.equal(authorizer.allows(caller, permission, scope), allowed);
  });
}

it("a wider list is worth filtering only above a scope where the caller may read", () => {
  assert.equal(authorizer.mayReadBelow(ci, "Applications.Core/containers/read", "/planes/radius/local"), true);
  assert.equal(authorizer.mayReadBelow(ci, "Applications.Core/containers/read", "/planes"), true);
  assert.equal(authorizer.mayReadBelow(ci, "Applications.Core/containers/read", `${dev}/providers`), true);
  assert.equal(authorizer.mayReadBelow(ci, "Applications.Core/containers/read", "/planes/aws"), false);
  assert.equal(authorizer.mayReadBelow(ci, "Radius.Core/installer/write", "/"), false);
  assert.equal(authorizer.mayReadBelow(anonymousCaller, "Applications.Core/containers/read", "/"), false);
});
