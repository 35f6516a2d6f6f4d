import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { isBuiltInNamespace, ResourceId } from "./resource-id.ts";

const group = "/planes/radius/local/resourceGroups/rg1";

const valid: readonly (readonly [text: string, kind: string, type: string, name: string])[] = [
  ["/", "scope", "", ""],
  ["/planes", "scope", "", ""],
  ["/PLANES/", "scope", "", ""],
  ["/planes/radius", "scopeCollection", "System.Radius/planes", ""],
  ["/planes/radius/local", "scope", "System.Radius/planes", "local"],
  ["/planes/radius/local/", "scope", "System.Radius/planes", "local"],
  ["/planes/azure/azurecloud", "scope", "System.Azure/planes", "azurecloud"],
  ["/planes/aws/aws", "scope", "System.AWS/planes", "aws"],
  ["/planes/edge/north", "scope", "System.edge/planes", "north"],
  ["/planes/constructor/x", "scope", "System.constructor/planes", "x"],
  [group, "scope", "System.Resources/resourceGroups", "rg1"],
  ["/planes/radius/local/resourceGroups", "scopeCollection", "System.Resources/resourceGroups", ""],
  [`${group}/providers/Applications.Core/containers`, "resourceCollection", "Applications.Core/containers", ""],
  [`${group}/providers/Applications.Core/containers/web`, "resource", "Applications.Core/containers", "web"],
  [`${group}/PROVIDERS/Applications.Core/containers/web`, "resource", "Applications.Core/containers", "web"],
  [
    "/planes/radius/local/providers/System.Resources/resourceProviders/My.Types/resourceTypes/widgets",
    "resource",
    "System.Resources/resourceProviders/resourceTypes",
    "widgets",
  ],
  [
    `${group}/providers/Applications.Core/applications/a/providers/Some.Other/type/ext1`,
    "extensionResource",
    "Some.Other/type",
    "ext1",
  ],
  [`${group}/providers/A.B/c/d/providers/Some.Other/type`, "extensionCollection", "Some.Other/type", ""],
  ["/subscriptions/s/resourceGroups/r/providers/M.S/accounts/x", "resource", "M.S/accounts", "x"],
  ["/planes/aws/aws/accounts/1/regions/r/providers/AWS.S3/Bucket/b", "resource", "AWS.S3/Bucket", "b"],
  ["/planes/kubernetes/local/namespaces/ns/providers/apps/Deployment/d", "resource", "apps/Deployment", "d"],
];

for (const [text, kind, type, name] of valid) {
  it(`${text} is a ${kind}`, () => {
    const id = ResourceId.parse(text);

    assert.deepEqual([id.kind, id.type, id.name], [kind, type, name]);
  });
}

const invalid = [
  "",
  "planes/radius/local",
  "//planes/radius/local",
  "/planes//radius",
  "/planes/radius/local//",
  "/planes/radius/providers/A.B/c/d",
  "/planes/radius/local/providers",
  "/planes/radius/local/providers/A.B",
  "/planes/radius/local/providers/A.B/c/d/providers",
  "/planes/radius/local/providers/A.B/c/d/providers/E.F",
  "/planes/radius/local/providers/A.B/c/providers/E.F/g/h",
  "/planes/radius/local/providers/A.B/c/d/providers/E.F/g/h/providers/I.J/k/l",
];

for (const text of invalid) {
  it(`'${text}' is refused by name`, () => {
    assert.equal(ResourceId.tryParse(text), undefined);
    assert.throws(
      () => ResourceId.parse(text),
      (error: Error & { code: string }) => error.code === "BadRequest" && error.message.includes(`'${text}'`),
    );
  });
}

it("knows the scopes of a resource", () => {
  const id = ResourceId.parse(`${group}/providers/Applications.Core/containers/web`);

  assert.equal(id.rootScope, group);
  assert.equal(id.planeScope, "/planes/radius/local");
  assert.equal(id.resourceGroup, "rg1");
  assert.equal(id.namespace, "Applications.Core");
  assert.equal(ResourceId.parse("/subscriptions/s/resourceGroups/r").planeScope, "/subscriptions/s");
});

it("joins the names of nested resources", () => {
  const id = ResourceId.parse("/planes/radius/local/providers/S.R/providersOf/My.Types/types/widgets");

  assert.equal(id.qualifiedName, "My.Types/widgets");
});

it("truncates an action URL to the resource, and leaves a top-level resource alone", () => {
  const extender = `${group}/providers/Applications.Core/extenders/e1`;

  assert.equal(ResourceId.parse(`${extender}/listSecrets`).truncate().toString(), extender);
  assert.equal(ResourceId.parse(extender).truncate().toString(), extender);
  assert.equal(ResourceId.parse(group).truncate().toString(), "/planes/radius/local");
  assert.equal(
    ResourceId.parse(`${extender}/providers/A.B/c/d/e`).truncate().toString(),
    `${extender}/providers/A.B/c/d`,
  );
});

it("writes providers in lower case and keeps every other spelling", () => {
  const text = "/planes/radius/Local/RESOURCEGROUPS/Rg/Providers/My.Ns/Things/One";

  assert.equal(ResourceId.parse(text).toString(), "/planes/radius/Local/RESOURCEGROUPS/Rg/providers/My.Ns/Things/One");
});

it("recognises planes only in lower case when more follows", () => {
  assert.equal(ResourceId.parse("/planes/radius/local").isUcp, true);
  assert.equal(ResourceId.parse("/Planes/radius").isUcp, false);
});

it("counts four namespaces as built in, Radius.Core not among them", () => {
  assert.equal(isBuiltInNamespace("APPLICATIONS.Core"), true);
  assert.equal(isBuiltInNamespace("Radius.Core"), false);
});

const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9.-]{0,8}$/).filter((text) => text.toLowerCase() !== "providers");
const pair = fc.tuple(word, word).map((parts) => parts.join("/"));
const scopeText = fc.array(pair, { minLength: 1, maxLength: 3 }).map((pairs) => `/planes/${pairs.join("/")}`);
const providerText = fc
  .tuple(word, fc.array(pair, { minLength: 1, maxLength: 3 }))
  .map(([namespace, pairs]) => `/providers/${namespace}/${pairs.join("/")}`);
const idText = fc
  .tuple(scopeText, fc.array(providerText, { maxLength: 2 }))
  .map(([scope, providers]) => scope + providers.join(""));

it("gives back every well-formed id as it was written", () => {
  fc.assert(fc.property(idText, (text) => assert.equal(ResourceId.parse(text).toString(), text)));
});

it("treats ids that differ in case as equal", () => {
  fc.assert(
    fc.property(idText, (text) => {
      const shouted = text.replace(/[^/]+$/, (last) => last.toUpperCase());
      assert.equal(ResourceId.parse(text).equals(ResourceId.parse(shouted)), true);
    }),
  );
});

it("normalises whatever it accepts to something it accepts again", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webPath(), idText), (text) => {
      const id = ResourceId.tryParse(text);
      if (id !== undefined) {
        assert.equal(ResourceId.parse(id.toString()).toString(), id.toString());
        assert.doesNotThrow(() => [id.kind, id.type, id.name, id.planeScope, id.truncate().toString()]);
      }
    }),
  );
});
