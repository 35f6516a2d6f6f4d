import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError, type JsonObject } from "@rad/core";
import { Engine, group } from "../run/testing/engine-kit.ts";
import { module, outputOf, template, thing } from "../run/testing/templates.ts";

for (const name of ["", "a b", "x".repeat(65), "ä"]) {
  it(`refuses the name '${name.slice(0, 10)}'`, async () => {
    await using engine = await Engine.open();

    const submitted = engine.submit({ name: name || "%20", template: template({}) });

    await assert.rejects(submitted, { code: "InvalidDeployment" });
  });
}

it("accepts a name with a period at its end", async () => {
  await using engine = await Engine.open();

  await engine.submit({ name: "v1.0.", template: template({}) });

  assert.equal((await engine.properties("v1.0."))["provisioningState"], "Accepted");
});

it("tells everything that is wrong with a template, with its place, and writes nothing", async () => {
  await using engine = await Engine.open();

  const submitted = engine.submit({
    template: template({ a: thing("a", { v: "[nothing()]" }), b: thing("b", { v: "[variables('x')]" }) }),
  });

  await assert.rejects(submitted, (error: unknown) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, "InvalidTemplate");
    assert.match(error.message, /^Deployment template validation failed: /);
    assert.deepEqual(
      error.details.map(({ target }) => target),
      ["$.resources.a.properties.properties.v", "$.resources.b.properties.properties.v"],
    );
    assert.equal(error.additionalInfo[0]?.type, "TemplateViolation");
    return true;
  });
  assert.deepEqual((await engine.store.list({ under: "/planes" })).items, []);
});

it("finds what is wrong in a module that needs nothing from what is deployed first", async () => {
  await using engine = await Engine.open();
  const inner = template({}, { parameters: { n: { type: "int", maxValue: 3 } } });

  const submitted = engine.submit({ template: template({ m: module("m", inner, { n: 4 }) }) });

  await assert.rejects(submitted, (error: unknown) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, "InvalidTemplate");
    assert.equal(error.details[0]?.target, "$.resources.m.properties.parameters.n");
    return true;
  });
});

it("finds what is wrong with one value for a module, though others are known only later", async () => {
  await using engine = await Engine.open();
  const gives = template({}, { outputs: { n: { type: "int", value: 3 } } });
  const takes = template({}, { parameters: { n: { type: "int" }, size: { type: "int", maxValue: 3 } } });

  const submitted = engine.submit({
    template: template({ a: module("a", gives), b: module("b", takes, { n: outputOf("a", "n"), size: 4 }) }),
  });

  await assert.rejects(submitted, (error: unknown) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, "InvalidTemplate");
    assert.deepEqual(
      error.details.map(({ target }) => target),
      ["$.resources.b.properties.parameters.size"],
    );
    return true;
  });
});

it("finds a value for a module that can never be had", async () => {
  await using engine = await Engine.open();
  const inner = template({}, { parameters: { p: { type: "string" } } });
  const off = thing("off", {}, { condition: false });

  const submitted = engine.submit({
    template: template({ off, m: module("m", inner, { p: "[reference('off').name]" }) }),
  });

  await assert.rejects(submitted, (error: unknown) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, "InvalidTemplate");
    assert.equal(error.details[0]?.target, "$.resources.m.properties.parameters.p.value");
    return true;
  });
});

it("accepts a module whose configuration comes from a resource", async () => {
  await using engine = await Engine.open();
  const m = module("m", template({}));
  const properties = { ...(m["properties"] as JsonObject), extensionConfigs: "[reference('a').properties]" };

  await engine.submit({ template: template({ a: thing("a"), m: { ...m, properties } }) });

  assert.equal((await engine.properties())["provisioningState"], "Accepted");
});

it("accepts a module whose values come from another one", async () => {
  await using engine = await Engine.open();
  const gives = template({}, { outputs: { n: { type: "int", value: 3 } } });
  const takes = template(
    { t: thing("[concat('t', parameters('n'))]") },
    { parameters: { n: { type: "int", maxValue: 3 } } },
  );

  await engine.submit({
    template: template({ a: module("a", gives), b: module("b", takes, { n: outputOf("a", "n") }) }),
  });

  assert.equal((await engine.properties())["provisioningState"], "Accepted");
});

it("refuses providers that are not there by name, in modules too", async () => {
  await using engine = await Engine.open();
  const imports: JsonObject = { kubernetes: { provider: "Kubernetes", version: "1.0.0", config: { namespace: "x" } } };
  const inner = template(
    { k: { import: "kubernetes", type: "core/ConfigMap@v1", properties: { metadata: { name: "x" } } } },
    { imports },
  );

  const submitted = engine.submit({ template: template({ m: module("m", inner) }) });

  await assert.rejects(submitted, (error: unknown) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, "InvalidTemplateDeployment");
    assert.match(error.message, /Kubernetes/);
    const [info] = error.additionalInfo;
    assert.deepEqual(info?.info, { path: "$.resources.m.properties.template.resources.k" });
    return true;
  });
});

it("refuses providers that are not there in a module that reads what the template around it deploys", async () => {
  await using engine = await Engine.open();
  const imports: JsonObject = {
    radius: { provider: "Radius", version: "latest" },
    kubernetes: { provider: "Kubernetes", version: "1.0.0", config: { namespace: "x" } },
  };
  const inner = template(
    {
      t: thing("t", { v: "[reference('a').name]" }),
      k: { import: "kubernetes", type: "core/ConfigMap@v1", properties: { metadata: { name: "x" } } },
    },
    { imports },
  );
  const m = module("m", inner);
  const properties = { ...(m["properties"] as JsonObject), expressionEvaluationOptions: { scope: "outer" } };

  const submitted = engine.submit({ template: template({ a: thing("a"), m: { ...m, properties } }) });

  await assert.rejects(submitted, { code: "InvalidTemplateDeployment" });
});

const unknown = { import: "radius", type: "Radius.Test/unknowns@2025-01-01", properties: { name: "u" } };

it("refuses types that do not exist before anything runs, in modules too", async () => {
  await using engine = await Engine.open();
  const inner = template({ inside: unknown });

  const submitted = engine.submit({
    template: template({ a: thing("a"), outside: unknown, skipped: { ...unknown, condition: false } }),
  });
  const nested = engine.submit({ template: template({ a: thing("a"), m: module("m", inner) }) });

  for (const [refused, path] of [
    [submitted, "$.resources.outside"],
    [nested, "$.resources.m.properties.template.resources.inside"],
  ] as const) {
    await assert.rejects(refused, (error: unknown) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.code, "InvalidTemplateDeployment");
      assert.deepEqual(
        error.details.map(({ code, additionalInfo }) => [code, additionalInfo]),
        [["BadRequest", [{ type: "TemplateViolation", info: { path } }]]],
      );
      return true;
    });
  }
  assert.deepEqual((await engine.store.list({ under: "/planes" })).items, []);
});

it("checks types also where a template tries to register some, which no template can", async () => {
  await using engine = await Engine.open();
  const type = "System.Resources/resourceProviders@2023-10-01-preview";
  const provider = { import: "radius", type, properties: { name: "Radius.Test" } };

  const submitted = engine.submit({ template: template({ provider, m: module("m", template({ u: unknown })) }) });

  await assert.rejects(submitted, { code: "InvalidTemplateDeployment" });
});

it("refuses a deployment that is written as if it were a resource", async () => {
  await using engine = await Engine.open();
  const type = "Microsoft.Resources/deployments@2025-04-01";
  const disguised = { import: "radius", type, properties: { name: "other", properties: {} } };

  const submitted = engine.submit({ template: template({ disguised }) });

  await assert.rejects(submitted, { code: "InvalidTemplateDeployment" });
});

it("refuses modules that go to another group, and links to hosts that are not allowed", async () => {
  await using engine = await Engine.open();
  const elsewhere = engine.submit({
    template: template({ m: module("m", template({}), {}, { resourceGroup: "other" }) }),
  });
  const linked = engine.submit({
    template: template({
      m: {
        type: "Microsoft.Resources/deployments",
        apiVersion: "2025-04-01",
        name: "m",
        properties: { mode: "Incremental", templateLink: { uri: "https://example.org/t.json" } },
      },
    }),
  });

  await assert.rejects(elsewhere, { code: "InvalidTemplate" });
  await assert.rejects(linked, { code: "InvalidContentLink" });
});

it("refuses a deployment when the caller may not write one of its resources", async () => {
  await using engine = await Engine.open({
    authorize: (_, permission, id) => {
      if (permission === "Radius.Test/things/write" && id.endsWith("/deep")) {
        throw new ApiError("Forbidden", "no");
      }
    },
  });

  const submitted = engine.submit({ template: template({ m: module("m", template({ t: thing("deep") })) }) });

  await assert.rejects(submitted, { code: "Forbidden" });
});

it("shows parameters by value where they are not secure, and what depends on what", async () => {
  await using engine = await Engine.open();

  await engine.submit({
    template: template(
      { a: thing("a"), b: thing("b", {}, { dependsOn: ["a"] }) },
      {
        parameters: { open: { type: "string" }, hidden: { type: "securestring" }, n: { type: "int", defaultValue: 1 } },
      },
    ),
    parameters: { open: "x", hidden: "canary" },
  });

  const { parameters, dependencies, providers, templateHash } = await engine.properties();
  assert.deepEqual(parameters, {
    open: { type: "String", value: "x" },
    hidden: { type: "SecureString" },
    n: { type: "Int", value: 1 },
  });
  const id = (name: string): string => `${group}/providers/Radius.Test/things/${name}`;
  assert.deepEqual(dependencies, [
    {
      dependsOn: [{ id: id("a"), resourceType: "Radius.Test/things", resourceName: "a" }],
      id: id("b"),
      resourceType: "Radius.Test/things",
      resourceName: "b",
    },
  ]);
  assert.deepEqual(providers, [
    { namespace: "Radius.Test", resourceTypes: [{ resourceType: "things", locations: ["global"] }] },
  ]);
  assert.match(String(templateHash), /^\d+$/);
});

it("refuses a module that has the name of a deployment around it", async () => {
  await using engine = await Engine.open();
  const innermost = (name: string): JsonObject =>
    template({ m: module("mid", template({ n: module(name, template({})) })) });

  for (const name of ["Main", "MID"]) {
    await assert.rejects(engine.submit({ name: "main", template: innermost(name) }), (error: unknown) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.code, "InvalidTemplate");
      assert.deepEqual(error.additionalInfo[0]?.info, { path: "$.resources.m.properties.template.resources.n" });
      return true;
    });
  }
  await engine.submit({ name: "main", template: innermost("other") });
});
