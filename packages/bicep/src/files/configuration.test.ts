import assert from "node:assert/strict";
import { test } from "node:test";
import { loadConfiguration } from "./configuration-loader.ts";
import type { BicepHost } from "./host.ts";
import { createMemoryHost } from "./host.ts";

function load(files: Readonly<Record<string, string>>, folder = "/repo/app") {
  return loadConfiguration(folder, createMemoryHost({ files: new Map(Object.entries(files)) }));
}

function codes(files: Readonly<Record<string, string>>): string[] {
  return load(files).configuration.problems.map((problem) => problem.code);
}

test("the nearest configuration on the way up applies, merged over the defaults", () => {
  const { configuration, inputs } = load({
    "/bicepconfig.json": `{ "experimentalFeaturesEnabled": { "assertions": true } }`,
    "/repo/bicepconfig.json": `{
      // comments are fine, and so is a last comma
      "extensions": { "radius": "br:example.org/radius:1", "mine": "./types" },
      "analyzers": { "core": { "rules": { "no-unused-params": { "level": "Error", "max": 3 } } } },
      "formatting": { "width": 80, "indentKind": "tab" },
    }`,
  });

  assert.equal(configuration.path, "/repo/bicepconfig.json");
  assert.equal(configuration.features["assertions"], undefined);
  assert.deepEqual(configuration.extensions.get("mine"), { value: "./types", folder: "/repo" });
  assert.equal(configuration.extensions.get("radius")?.value, "br:example.org/radius:1");
  assert.equal(configuration.extensions.get("kubernetes")?.value, "builtin:");
  assert.deepEqual(configuration.implicitExtensions, ["az"]);
  assert.equal(configuration.analyzers.rules.get("no-unused-params")?.level, "error");
  assert.equal(configuration.analyzers.rules.get("no-unused-params")?.options.get("max"), 3n);
  assert.equal(configuration.formatting.width, 80);
  assert.equal(configuration.formatting.indentKind, "Tab");
  assert.equal(configuration.formatting.indentSize, 2);
  assert.deepEqual(configuration.problems, []);
  assert.deepEqual(inputs, ["/repo/app/bicepconfig.json", "/repo/bicepconfig.json"]);
});

test("a folder without a configuration has the defaults, and remembers where one could be", () => {
  const { configuration, inputs } = load({});

  assert.equal(configuration.path, undefined);
  assert.deepEqual(inputs, ["/repo/app/bicepconfig.json", "/repo/bicepconfig.json", "/bicepconfig.json"]);
});

test("a configuration that extends another overrides it member by member", () => {
  const { configuration, inputs } = load({
    "/repo/app/bicepconfig.json": `{ "extends": "../base.json", "experimentalFeaturesEnabled": { "a": false } }`,
    "/repo/base.json": `{
      "experimentalFeaturesEnabled": { "a": true, "b": true },
      "extensions": { "mine": "types" },
      "cacheRootDirectory": "cache"
    }`,
  });

  assert.deepEqual({ ...configuration.features }, { a: false, b: true });
  assert.deepEqual(configuration.extensions.get("mine"), { value: "types", folder: "/repo" });
  assert.equal(configuration.cacheRootDirectory, "cache");
  assert.deepEqual(inputs, ["/repo/app/bicepconfig.json", "/repo/base.json"]);
});

for (const [name, text, code] of [
  ["no JSON", "{", "BCP271"],
  ["a list", "[]", "BCP271"],
  ["a section of the wrong kind", `{ "extensions": 1 }`, "BCP273"],
  ["an extension of the wrong kind", `{ "extensions": { "a": {} } }`, "BCP273"],
  ["a feature of the wrong kind", `{ "experimentalFeaturesEnabled": { "a": "yes" } }`, "BCP273"],
  ["an unknown level", `{ "analyzers": { "core": { "rules": { "no-unused-vars": { "level": "loud" } } } } }`, "BCP273"],
  ["an unknown rule", `{ "analyzers": { "core": { "rules": { "no-unused-var": {} } } } }`, "unknown-linter-rule"],
  ["implicit extensions of the wrong kind", `{ "implicitExtensions": "az" }`, "BCP273"],
  ["an implicit extension that is none", `{ "implicitExtensions": ["az", "nobody"] }`, "BCP397"],
  ["a base that does not exist", `{ "extends": "nobody.json" }`, "BCP453"],
  ["itself as its base", `{ "extends": "bicepconfig.json" }`, "BCP454"],
] as const) {
  test(`a configuration with ${name} is ${code}`, () => {
    assert.deepEqual(codes({ "/repo/app/bicepconfig.json": text }), [code]);
  });
}

test("an unknown rule is a warning that suggests the one that was meant, if any", () => {
  const rules = `{ "no-unused-var": { "level": "off" }, "house-style": {}, "use-recent-api-versions": { "level": "off" } }`;
  const { problems } = load({
    "/repo/bicepconfig.json": `{ "analyzers": { "core": { "rules": ${rules} } } }`,
  }).configuration;

  assert.deepEqual(
    problems.map(({ level, message }) => `${level}: ${message}`),
    [
      `warning: The configuration "/repo/bicepconfig.json" sets the linter rule "no-unused-var", which does not exist. Did you mean "no-unused-vars"?`,
      `warning: The configuration "/repo/bicepconfig.json" sets the linter rule "house-style", which does not exist.`,
    ],
  );
});

test("a chain of configurations that is too long is BCP455", () => {
  const files: Record<string, string> = { "/repo/app/bicepconfig.json": `{ "extends": "0.json" }` };
  for (let index = 0; index < 70; index += 1) {
    files[`/repo/app/${index}.json`] = `{ "extends": "${index + 1}.json" }`;
  }

  assert.deepEqual(codes(files), ["BCP455"]);
});

test("a file that may not be read is BCP272, a folder that may not be searched BCP274", () => {
  const host = (listing: "file" | "denied"): Pick<BicepHost, "readFile" | "listDirectory"> => ({
    readFile: () => ({ problem: "denied" }),
    listDirectory: () => (listing === "denied" ? { problem: "denied" } : { files: [] }),
  });

  assert.deepEqual(
    loadConfiguration("/a", host("file")).configuration.problems.map(({ code, level }) => [code, level]),
    [["BCP272", "error"]],
  );
  assert.deepEqual(
    loadConfiguration("/a", host("denied")).configuration.problems.map(({ code, level }) => [code, level]),
    [["BCP274", "info"]],
  );
});

test("the search ends where a confined host ends", () => {
  const asked: string[] = [];
  const { configuration } = loadConfiguration("/repo/a", {
    readFile: (path) => {
      asked.push(path);
      return { problem: path.startsWith("/repo/") ? "missing" : "outside" };
    },
    listDirectory: () => ({ files: [] }),
  });

  assert.deepEqual(configuration.problems, []);
  assert.deepEqual(asked, ["/repo/a/bicepconfig.json", "/repo/bicepconfig.json", "/bicepconfig.json"]);
});
