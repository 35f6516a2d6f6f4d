import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { type ObjectTarget, openObjectTarget } from "@rad/kubernetes";
import type { Rendering } from "../rendering/renderer.ts";
import { applicationsVersion } from "../applications-core/version.ts";
import { environmentId } from "../testing/ids.ts";
import { renderCase } from "../testing/render-case.ts";
import type { GoldenType } from "../testing/golden-type.ts";
import { daprGoldens } from "./golden-cases.ts";
import { componentRenderer } from "./render/component-renderer.ts";

const [stateStores, brokers] = daprGoldens as unknown as [GoldenType, GoldenType];
const options = { signal: AbortSignal.timeout(60_000) };
const manual = {
  environment: environmentId,
  resourceProvisioning: "manual",
  type: "state.redis",
  version: "v1",
  metadata: { host: { value: "h" } },
};

const refused: readonly (readonly [what: string, properties: JsonObject, lines: readonly string[]])[] = [
  [
    "manual values that are missing",
    { environment: environmentId, resourceProvisioning: "manual" },
    ["metadata", "type", "version"].map(
      (name) => `${name} must be specified when resourceProvisioning is set to manual`,
    ),
  ],
  [
    "a recipe beside manual values",
    { ...manual, recipe: { name: "default" } },
    ["recipe details cannot be specified when resourceProvisioning is set to manual"],
  ],
  [
    "manual values beside a recipe",
    { ...manual, resourceProvisioning: "recipe" },
    ["metadata", "type", "version"].map(
      (name) => `${name} cannot be specified when resourceProvisioning is set to recipe (default)`,
    ),
  ],
];
for (const [what, properties, lines] of refused) {
  it(`a component refuses ${what}, all at once`, async () => {
    const expected = { code: "BadRequest", message: ["error(s) found:", ...lines].join("\n\t") };
    assert.throws(() => renderCase(stateStores, properties), expected);
    const request = { apiVersion: applicationsVersion, properties } as never;
    await assert.rejects(async () => await stateStores.type.handler?.validate?.(request), expected);
  });
}

it("a component that a recipe makes is an error that names the recipe", () => {
  assert.throws(() => renderCase(stateStores, { environment: environmentId }), {
    code: "RecipeNotFoundFailure",
    message: /^could not find recipe "default" in environment "\S*\/env"/,
  });
});

it("components of one namespace have different names, whatever their type", async () => {
  await using folder = await temporaryTarget();
  const { target } = folder;
  const state = renderCase(stateStores, manual);
  const broker = renderCase(brokers, manual);

  await componentRenderer.check?.(target, state, options);
  await applyAll(target, state);
  await componentRenderer.check?.(target, state, options);

  await assert.rejects(async () => await componentRenderer.check?.(target, broker, options), {
    code: "Conflict",
    message: /^the Dapr component name '"web"' is already in use by another resource\./,
  });
});

it("a cluster without Dapr is told what to install", async () => {
  await using folder = await temporaryTarget();
  const withoutDapr: ObjectTarget = Object.assign(Object.create(folder.target) as ObjectTarget, {
    serves: () => Promise.resolve(false),
  });

  await assert.rejects(
    async () => await componentRenderer.check?.(withoutDapr, renderCase(stateStores, manual), options),
    { code: "BadRequest", message: /^Dapr is not installed in your Kubernetes cluster\./ },
  );
});

async function applyAll(target: ObjectTarget, { parts }: Rendering): Promise<void> {
  for (const part of parts) {
    if (part.platform === "kubernetes") {
      await target.apply(part.object, options);
    }
  }
}

async function temporaryTarget(): Promise<{ target: ObjectTarget } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "radius-manifests-"));
  return {
    target: await openObjectTarget({ kind: "folder", path }),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
