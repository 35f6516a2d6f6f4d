import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { applicationsVersion } from "../applications-core/version.ts";
import { environmentId } from "../testing/ids.ts";
import { portableGoldens } from "../testing/portable-goldens.ts";
import { renderCase } from "../testing/render-case.ts";

const manual = { environment: environmentId, resourceProvisioning: "manual" };
const required: Readonly<Record<string, readonly string[]>> = {
  "Applications.Datastores/redisCaches": ["host", "port"],
  "Applications.Datastores/mongoDatabases": ["host", "port", "database"],
  "Applications.Datastores/sqlDatabases": ["server", "port", "database"],
  "Applications.Messaging/rabbitMQQueues": ["queue", "host", "port"],
};

for (const golden of portableGoldens) {
  const { name, handler } = golden.type;
  const names = required[name] ?? [];
  const listed = async (properties: JsonObject, secrets: JsonObject): Promise<unknown> =>
    await handler?.actions?.["listSecrets"]?.({
      properties,
      status: {},
      secrets: () => Promise.resolve(secrets),
    } as never);

  it(`${name} without its values is refused at PUT, all at once`, async () => {
    const validate = async (properties: JsonObject): Promise<unknown> =>
      await handler?.validate?.({ apiVersion: applicationsVersion, properties } as never);
    const lines = names.map((one) => `${one} must be specified when resourceProvisioning is set to manual`);
    if (lines.length > 0) {
      const message = ["multiple errors were found:", ...lines].join("\n\t");
      await assert.rejects(validate(manual), { code: "BadRequest", message });
      const all = Object.fromEntries(names.map((one) => [one, one === "port" ? 1 : "x"]));
      const { [names[0] ?? ""]: _first, ...rest } = all;
      await assert.rejects(validate({ ...manual, ...rest }), { message: lines[0] ?? "" });
      await validate({ ...manual, ...all });
    }
    await validate({ environment: environmentId });
  });

  it(`${name} needs a recipe unless its values are given, and recipes are not run`, () => {
    const properties = { environment: environmentId, recipe: { name: "fast" } };
    const recipes = { [name.toLowerCase()]: { fast: { templateKind: "bicep", templatePath: "registry.example/r:1" } } };
    const compute = { kind: "kubernetes", namespace: "prod" };

    assert.throws(() => renderCase(golden, properties), {
      code: "RecipeNotFoundFailure",
      message: /^could not find recipe "fast" in environment "\S*\/env"/,
    });
    assert.throws(() => renderCase(golden, properties, { environment: { compute, recipes } }), {
      code: "DriverNotFoundFailure",
      message: /"fast".*bicep, registry\.example\/r:1.*does not run recipes/,
    });
  });

  it(`${name} lists the secrets that those get who connect to it`, async () => {
    for (const { properties, secrets = {} } of golden.cases) {
      const { secretValues = {} } = renderCase(golden, properties, { secrets });
      const answer = await listed(properties, secrets);
      assert.deepEqual(
        Object.fromEntries(Object.entries(answer as JsonObject).filter(([, value]) => value !== "")),
        secretValues,
      );
    }
  });
}

it("nothing is computed while a value is missing that a recipe would give", async () => {
  const redis = portableGoldens[0]?.type.handler?.actions?.["listSecrets"];
  const secrets = { "/properties/secrets": { password: "p" } };
  const answer = await redis?.({
    properties: { environment: environmentId, host: "h" },
    status: {},
    secrets: () => Promise.resolve(secrets),
  } as never);

  assert.deepEqual(answer, { connectionString: "", password: "p", url: "" });
});
