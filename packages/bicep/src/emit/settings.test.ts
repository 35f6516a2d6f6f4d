import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compile } from "./testing/compile.ts";

const files = {
  "/m.bicep": "param p string = ''\n",
  "/s.bicep": "@secure()\noutput s string = ''\n",
  "/e.bicep": "@export()\nvar v = 1\n",
};

const resource = "resource r 'My.Rp/a@2020-01-01' = {\n  name: 'r'\n}\n";
const loop = "resource rs 'My.Rp/a@2020-01-01' = [for i in range(0, 2): {\n  name: 'r${i}'\n}]\n";

/** Sources with the language version of their templates; none is the classic form. */
const table: readonly (readonly [what: string, source: string, version: string | undefined])[] = [
  ["plain declarations", `param p string\nvar v = [p]\noutput o array = v\n${resource}`, undefined],
  ["nothing", "", undefined],
  ["items of collections", `${loop}output o string = rs[0].id\n`, undefined],
  [
    "collections in dependsOn",
    `${loop}resource x 'My.Rp/x@2020-01-01' = {\n  name: 'x'\n  dependsOn: [\n    rs\n  ]\n}\n`,
    undefined,
  ],
  ["the name of a collection", `${loop}output o string = nameof(rs)\n`, undefined],
  ["whole collections", `${loop}output o array = map(rs, x => x.id)\n`, "2.0"],
  ["whole collections in lists", `${loop}output o array = [rs]\n`, "2.0"],
  ["extensions", "extension kubernetes with {\n  namespace: ''\n  kubeConfig: ''\n}\n", "2.0"],
  ["typed variables", "var v string = ''\n", "2.0"],
  ["types", "type t = string\n", "2.0"],
  ["functions", "func f() string => ''\n", "2.0"],
  ["imports", "import { v } from 'e.bicep'\n", "2.0"],
  ["imports of whole files", "import * as e from 'e.bicep'\n", "2.0"],
  ["secure outputs", "@secure()\noutput o string = ''\n", "2.0"],
  ["secure outputs of modules", "module s 's.bicep' = {\n  name: 's'\n}\n", "2.0"],
  ["object types", "param p { a: string }\n", "2.0"],
  ["array types", "param p string[]\n", "2.0"],
  ["tuple types", "param p [string]\n", "2.0"],
  ["unions", "param p 'a' | 'b'\n", "2.0"],
  ["nullable types", "output o string? = null\n", "2.0"],
  ["modules without a name", "module m 'm.bicep' = {}\n", "2.0"],
  [
    "existing resources with dependsOn",
    `${resource}resource e 'My.Rp/a@2020-01-01' existing = {\n  name: 'e'\n  dependsOn: [\n    r\n  ]\n}\n`,
    "2.0",
  ],
  ["resources that are only created", `@onlyIfNotExists()\n${resource}`, "2.0"],
  ["resources that are retried", `@retryOn(['x'])\n${resource}`, "2.0"],
  [
    "questions about the resource itself",
    "resource r 'My.Rp/a@2020-01-01' = {\n  name: 'r'\n  tags: {\n    a: this.exists() ? 'x' : this.existingResource().?tags.a\n  }\n}\n",
    "2.1-experimental",
  ],
  ["the mere word this.", "var v = 'this.exists()'\n", undefined],
];

describe("the language version", () => {
  for (const [what, source, version] of table) {
    it(`is ${version ?? "left out"} for ${what}`, () => {
      const template = compile(source, { files });
      assert.equal(template.languageVersion, version);
      assert.equal(Array.isArray(template.resources), version === undefined);
    });
  }

  it("warns about experimental features that shape the template", () => {
    const { metadata, languageVersion } = compile("", { features: ["moduleExtensionConfigs", "assertions"] });
    assert.equal(languageVersion, "2.2-experimental");
    assert.deepEqual(Object.keys(metadata), ["_EXPERIMENTAL_WARNING", "_EXPERIMENTAL_FEATURES_ENABLED", "_generator"]);
    assert.equal(metadata._EXPERIMENTAL_FEATURES_ENABLED.length, 2);
  });

  it("does not change for features that leave templates alone", () => {
    assert.equal(compile("", { features: ["testFramework", "legacyFormatter"] }).languageVersion, undefined);
  });

  it("lets resources ask about themselves", () => {
    const { resources } = compile(table.at(-2)?.[1] ?? "");
    assert.equal(resources.r.tags.a, "[if(not(empty(target('full'))), 'x', tryGet(target('full'), 'tags', 'a'))]");
  });
});
