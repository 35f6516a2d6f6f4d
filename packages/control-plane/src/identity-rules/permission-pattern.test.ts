import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { checkPermissionPattern, compilePermissionPattern } from "./permission-pattern.ts";

const cases: readonly (readonly [pattern: string, permission: string, matches: boolean])[] = [
  ["*", "applications.core/containers/write", true],
  ["Applications.Core/*", "applications.core/containers/listsecrets/action", true],
  ["Applications.Core/*", "applications.corelike/containers/read", false],
  ["*/read", "applications.core/containers/read", true],
  ["*/read", "applications.core/containers/read/action", false],
  ["*/read", "applications.core/containers/write", false],
  ["Applications.Core/*/read", "applications.core/containers/read", true],
  ["Applications.Core/*/read", "applications.core/read", false],
  ["a/*b*c/read", "a/xbyc/read", true],
  ["a/*b*c/read", "a/xcyb/read", false],
  ["Applications.Core/containers/read", "applications.core/containers/read", true],
  ["Applications.Core/containers/read", "applications.core/containers/read/action", false],
];

for (const [pattern, permission, matches] of cases) {
  it(`${pattern} ${matches ? "matches" : "does not match"} ${permission}`, () => {
    assert.equal(compilePermissionPattern(pattern)(permission), matches);
  });
}

it("a pattern matches exactly what the regular expression of the same meaning matches", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "/", "*"), maxLength: 8 });
  const permissions = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 12 });
  fc.assert(
    fc.property(letters, permissions, (pattern, permission) => {
      const expected = new RegExp(
        `^${pattern
          .split("*")
          .map((part) => RegExp.escape(part))
          .join(".*")}$`,
      ).test(permission);
      assert.equal(compilePermissionPattern(pattern)(permission), expected);
    }),
    { numRuns: 500 },
  );
});

it("patterns that could match nothing are refused", () => {
  assert.equal(checkPermissionPattern("Applications.Core/*"), undefined);
  assert.equal(checkPermissionPattern("Radius.Core/installer/write"), undefined);
  assert.equal(checkPermissionPattern("Applications.Core/containers/listSecrets/action"), undefined);
  for (const pattern of ["", "Applications.Core", "a//read", "/read", "a/delete", "a b/read"]) {
    assert.equal(typeof checkPermissionPattern(pattern), "string", pattern);
  }
});
