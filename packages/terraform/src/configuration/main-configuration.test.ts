import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import fc from "fast-check";
import { mainConfiguration, moduleConfiguration } from "./main-configuration.ts";
import type { MainConfiguration, MainConfigurationOptions } from "./main-configuration.ts";
import type { ModuleInterface } from "./module-interface.ts";
import { moduleKeyOf } from "./module-key.ts";
import { secretLookup } from "./secret-lookup.ts";
import { templateText } from "./template-text.ts";

const secretId = "/planes/radius/local/providers/Radius.Security/secrets/db";
const secrets = secretLookup([[secretId, { password: "canary-1", other: 'canary "2"' }]]);
const module = { key: "default", source: "registry.example/corp/db/aws", version: "1.2.3" };
const backend = {
  type: "http",
  config: { address: "https://s/${x}" },
  env: {},
  secretValues: [],
  stateName: "s",
  legacyNames: [],
};

function contents(variables: readonly string[], more: Partial<ModuleInterface> = {}): ModuleInterface {
  return {
    variables: variables.map((name) => ({ name, required: false })),
    outputs: [{ name: "result", sensitive: false }],
    requiredProviders: {},
    ...more,
  };
}

function built(options: Partial<MainConfigurationOptions>): MainConfiguration {
  return mainConfiguration({
    product: "terraform",
    module,
    contents: contents(["context", "size", "tags", "password", "db"]),
    parameters: {},
    context: { resource: { name: "db" } },
    secrets,
    providers: { session: "run-1" },
    backend,
    ...options,
  });
}

function call(options: Partial<MainConfigurationOptions>): JsonObject {
  const { file } = built(options);
  return (file["module"] as { default: JsonObject }).default;
}

it("a module is downloaded with its source and version alone", () => {
  assert.deepEqual(moduleConfiguration(module, "terraform"), {
    module: { default: { source: module.source, version: "1.2.3" } },
  });
});

it("sources and backends are written as each program reads them", () => {
  const hostile = { key: "m", source: "git::https://h/r.git?ref=${x}", version: "" };

  assert.deepEqual(moduleConfiguration(hostile, "terraform"), { module: { m: { source: hostile.source } } });
  assert.deepEqual(moduleConfiguration(hostile, "opentofu"), {
    module: { m: { source: "git::https://h/r.git?ref=$${x}" } },
  });
  const { file } = built({ product: "opentofu" });
  assert.deepEqual(file["terraform"], { backend: { http: { address: "https://s/$${x}" } } });
});

it("the whole file", () => {
  const requiredProviders = {
    aws: { source: "hashicorp/aws", version: ">= 3.0,< 6.0", configurationAliases: ["aws.east"] },
    null: { configurationAliases: [] },
  };
  const configured = { aws: [{ alias: "east", region: "us-east-1" }] };

  const { file, env } = built({
    contents: contents(["context", "size"], { requiredProviders }),
    parameters: { size: 3 },
    providers: { session: "run-1", configured },
  });

  assert.deepEqual(file, {
    terraform: {
      backend: { http: { address: "https://s/${x}" } },
      required_providers: { aws: { source: "hashicorp/aws", version: ">= 3.0,< 6.0" }, null: {} },
    },
    provider: { aws: [{ alias: "east", region: "us-east-1" }] },
    module: {
      default: {
        source: module.source,
        version: "1.2.3",
        providers: { "aws.east": "aws.east" },
        size: 3,
        context: { resource: { name: "db" } },
      },
    },
    output: { result: { value: "${module.default.result}", sensitive: true } },
  });
  assert.deepEqual(env, {});
});

it("strings are data: values and names, at every depth", () => {
  const parameters = { tags: { "${a}": ["%{b}", { c: "$${d} $ % {" }], __proto__: 1 }, size: 'say "${x}"\n' };

  const { tags, size } = call({ parameters: JSON.parse(JSON.stringify(parameters)) as JsonObject });

  assert.deepEqual(tags, { "$${a}": ["%%{b}", { c: "$$${d} $ % {" }] });
  assert.equal(size, 'say "$${x}"\n');
});

it("null parameters leave the default of the variable; nulls inside stay", () => {
  const arguments_ = call({ parameters: { size: null, tags: { a: null } } });

  assert.ok(!Object.hasOwn(arguments_, "size"));
  assert.deepEqual(arguments_["tags"], { a: null });
});

it("references are sensitive variables at any depth, with their values in the environment", () => {
  const parameters = {
    password: { secretId, key: "password" },
    db: { users: [{ name: "a", password: { secretId, key: "other" } }] },
  };

  const { file, env } = built({ parameters });

  assert.deepEqual(file["variable"], {
    radius_secret_1: { type: "string", sensitive: true },
    radius_secret_2: { type: "string", sensitive: true },
  });
  assert.deepEqual(env, { TF_VAR_radius_secret_1: "canary-1", TF_VAR_radius_secret_2: 'canary "2"' });
  const { password, db } = (file["module"] as { default: JsonObject }).default;
  assert.equal(password, "${var.radius_secret_1}");
  assert.deepEqual(db, { users: [{ name: "a", password: "${var.radius_secret_2}" }] });
  assert.doesNotMatch(JSON.stringify(file), /canary/);
});

it("what an expression has put in is data, also where it looks like a reference", () => {
  const written = { tags: "{{ context.resource.properties.tags }}", db: { secretId, key: "password" } };
  const injected = { secretId, key: "other" };

  const { file, env } = built({ parameters: { ...written, tags: injected }, written });

  const { tags, db } = (file["module"] as { default: JsonObject }).default;
  assert.deepEqual(tags, injected);
  assert.equal(db, "${var.radius_secret_1}");
  assert.deepEqual(Object.values(env), ["canary-1"]);
});

it("secrets of the resource itself are variables too, whatever their type", () => {
  const context = {
    resource: { properties: { "pass/word": "canary", keys: { a: ["canary-${b}\b", 20394857, null] }, size: 1 } },
  };
  const sensitive = ["/context/resource/properties/pass~1word", "/context/resource/properties/keys", "/context/none"];

  const { file, env, secretValues } = built({ context, sensitive });

  assert.doesNotMatch(JSON.stringify(file), /canary/);
  assert.deepEqual((file["variable"] as JsonObject)["radius_secret_2"], { type: "any", sensitive: true });
  assert.deepEqual(env, {
    TF_VAR_radius_secret_1: "canary",
    TF_VAR_radius_secret_2: String.raw`{"a" = ["canary-\u0024{b}\u0008", 20394857, null]}`,
  });
  assert.deepEqual(secretValues, ["canary", "canary-${b}\b", "20394857"]);
});

it("parameters that were made of a secret of the context are variables, for modules without context too", () => {
  const context = { resource: { name: "db", properties: { password: "canary", pin: "7" } } };
  const sensitive = ["/context/resource/properties/password", "/context/resource/properties/pin"];
  const parameters = { password: "canary", db: { url: "pg://u:canary@h", pins: ["7", "17"] }, size: 3 };

  const { file, env } = built({ parameters, context, sensitive, contents: contents(["password", "db", "size"]) });

  assert.doesNotMatch(JSON.stringify(file), /canary/);
  assert.deepEqual(Object.values(env), ["canary", "pg://u:canary@h", "7"]);
  const { db } = (file["module"] as { default: JsonObject }).default;
  assert.deepEqual(db, { url: "${var.radius_secret_2}", pins: ["${var.radius_secret_3}", "17"] });
});

it("what looks like a reference in the context is data", () => {
  const context = { resource: { properties: { ref: { secretId, key: "password" } } } };

  assert.deepEqual(call({ context })["context"], context);
});

it("the context is the engine's, for modules that declare it", () => {
  const context = { resource: {} };

  assert.deepEqual(call({ context, parameters: { context: "mine" } })["context"], context);
  assert.ok(!Object.hasOwn(call({ context, contents: contents([]) }), "context"));
});

const outputs = [
  { name: "host", sensitive: false },
  { name: "password", sensitive: true },
];

it("a module without a result gives all of its outputs, sensitive as it declares them", () => {
  const { file } = built({ contents: contents([], { outputs }) });

  assert.deepEqual(file["output"], {
    host: { value: "${module.default.host}" },
    password: { value: "${module.default.password}", sensitive: true },
  });
});

it("of chosen outputs, those that are secrets here or in the module are sensitive", () => {
  const chosen = [
    { name: "host", sensitive: true },
    { name: "password", sensitive: false },
  ];
  const { file } = built({ contents: contents([], { outputs }), outputs: chosen });

  assert.deepEqual(Object.values(file["output"] as JsonObject), [
    { value: "${module.default.host}", sensitive: true },
    { value: "${module.default.password}", sensitive: true },
  ]);
});

const refused = [
  ["a parameter that the module does not have", { sise: 1 }, /'sise'.*Did you mean 'size'/],
  ["an argument of module blocks", { source: "evil", count: 2 }, /'source'.*'count'/],
  ["an argument of module blocks that a module cannot declare", { providers: {} }, /'providers'/],
  ["a comment of Terraform's JSON", { "//": "x" }, /'\/\/'/],
] as const;
for (const [what, parameters, message] of refused) {
  it(`parameters are refused: ${what}`, () => {
    assert.throws(() => built({ parameters }), { code: "RecipeValidationFailed", message });
  });
}

it("every required parameter that is missing is named; context is not the user's to give", () => {
  const variables = ["a", "b", "context"].map((name) => ({ name, required: true }));

  assert.throws(() => built({ contents: contents([], { variables }), parameters: { a: null } }), {
    code: "RecipeValidationFailed",
    message: /'a' is required.*'b' is required\.$/,
  });
});

for (const [what, password] of [
  ["has a NUL character", "canary\0"],
  ["is too large", "canary".repeat(30_000)],
] as const) {
  it(`a secret that ${what} fits into no environment variable, and is refused without its value`, () => {
    const loaded = secretLookup([[secretId, { password }]]);
    assert.throws(
      () => built({ secrets: loaded, parameters: { password: { secretId, key: "password" } } }),
      (error: Error & { code: string }) =>
        error.code === "RecipeConfigurationFailure" && !error.message.includes("canary"),
    );
  });
}

it("names of recipes become names of modules", () => {
  const names = ["default", "my-recipe", "_x", "1abc", "a.b", "a b", "${x}", "", "größe"];
  const keys = ["default", "my-recipe", "_x", "_1abc", "a_b", "a_b", "__x_", "_", "größe"];

  assert.deepEqual(names.map(moduleKeyOf), keys);
});

it("escaping leaves no template, and is undone by reading it as one", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("$", "%", "{", "}", "a", '"') }), (text) => {
      const written = templateText(text);
      // As Terraform's scanner reads it: a marker twice before a brace is the marker once.
      const read = written.replaceAll(/([$%])\1\{/gu, "$1{");
      assert.equal(read, text);
    }),
  );
});

it("what is not known yet is unknown to a plan, alone or within a text, secret or not", () => {
  const unknownMark = "unknown-1";
  const unknown = "${jsondecode(timestamp())}";

  const { file, env, secretValues } = built({
    unknownMark,
    parameters: { size: unknownMark, tags: [`a-${unknownMark}`, "${b}"], password: unknownMark },
    context: {
      resource: { properties: { host: unknownMark, name: "db" }, connections: { db: { properties: unknownMark } } },
    },
    sensitive: ["/password", "/context/resource/properties/host"],
  });

  const { size, tags, password, context } = (file["module"] as { default: JsonObject }).default;
  assert.deepEqual([size, tags, password], [unknown, [unknown, "$${b}"], unknown]);
  assert.deepEqual(context, {
    resource: { properties: { host: unknown, name: "db" }, connections: { db: { properties: unknown } } },
  });
  assert.deepEqual([env, secretValues], [{}, []]);
});
