import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { ClientError } from "@rad/client";
import type { JsonObject, JsonValue } from "@rad/core";
import { until } from "@rad/core/testing";
import { startDeployServer } from "./deploy/deploy-server.ts";
import type { DeployServer } from "./deploy/deploy-server.ts";
import { DeployGroup } from "./deploy/group.ts";

let server: DeployServer;

before(async () => {
  server = await startDeployServer();
});

after(() => server[Symbol.asyncDispose]());

it("the same name while it runs is refused, and afterwards runs anew", async () => {
  const group = await DeployGroup.create(server.client, "same-name");
  await group.start("twice", template({ slow: widget("slow", { workMs: 500 }) }), {});

  await assert.rejects(group.start("twice", template({}), {}), { status: 409, code: "DeploymentActive" });
  const first = await group.ended("twice");
  const second = await group.deploy("twice", template({ other: widget("other") }), {});

  assert.equal(first.state, "Succeeded");
  assert.equal(second.state, "Succeeded");
  assert.deepEqual(targets(await group.operations("twice")), ["other"], "operations of the first run are still listed");
});

it("a module's name that another deployment is using is refused by the name of that deployment", async () => {
  const group = await DeployGroup.create(server.client, "module-name");
  const slow = template({ slow: widget("slow", { workMs: 700 }) });
  await group.start("one", template({ shared: moduleOf("shared", slow) }), {});
  await untilListed(group, "one", "shared");

  const other = await refusal(group.deploy("two", template({ shared: moduleOf("shared", template({})) }), {}));

  assert.match(other, /DeploymentActive/);
  assert.match(other, /deployments\/one\b/, "the other parent is not named");
  assert.equal((await group.ended("one")).state, "Succeeded");
});

it("cancelling starts nothing more and waits for what runs", async () => {
  const group = await DeployGroup.create(server.client, "cancelled");
  const chain = template({
    first: widget("first", { workMs: 600 }),
    second: { ...widget("second"), dependsOn: ["first"] },
  });
  await group.start("long", chain, {});
  await untilListed(group, "long", "first");

  await server.client.deployments.cancel(group.deploymentId("long"));
  const { state, error } = await group.ended("long");

  assert.equal(state, "Canceled");
  assert.equal(error?.code, "DeploymentCanceled");
  assert.deepEqual(await states(group), { first: "Succeeded" });
  await assert.rejects(server.client.deployments.cancel(group.deploymentId("long")), { status: 409 });
});

it("deleting a deployment leaves what it deployed", async () => {
  const group = await DeployGroup.create(server.client, "deleted");
  const id = group.deploymentId("gone");
  await group.deploy("gone", template({ kept: widget("kept"), part: moduleOf("part", template({})) }), {});

  assert.equal(await server.client.deployments.delete(id), "deleted");

  await assert.rejects(server.client.deployments.get(id), { status: 404, code: "DeploymentNotFound" });
  assert.deepEqual(await states(group), { kept: "Succeeded" });
});

it("what runs cannot be deleted, and a part of it cannot be cancelled by itself", async () => {
  const group = await DeployGroup.create(server.client, "busy");
  const slow = template({ slow: widget("slow", { workMs: 500 }) });
  await group.start("whole", template({ part: moduleOf("part", slow) }), {});
  await untilListed(group, "whole", "slow");
  const { deployments, groups } = server.client;

  for (const name of ["whole", "part"]) {
    await assert.rejects(deployments.delete(group.deploymentId(name)), { status: 409, code: "DeploymentActive" });
  }
  await assert.rejects(deployments.cancel(group.deploymentId("part")), { status: 409 });
  await assert.rejects(groups.delete("busy"), { status: 409 });

  assert.equal((await group.ended("whole")).state, "Succeeded");
});

it("a resource that another deployment is changing is waited for", async () => {
  const group = await DeployGroup.create(server.client, "contended");
  await group.start("first", template({ shared: widget("shared", { workMs: 500 }) }), {});
  await untilListed(group, "first", "shared");

  const second = await group.deploy("second", template({ shared: widget("shared") }), {});

  assert.equal(second.state, "Succeeded");
  assert.equal((await group.ended("first")).state, "Succeeded");
});

it("a deployment of a name in another case is the same deployment", async () => {
  const group = await DeployGroup.create(server.client, "cases");
  await group.deploy("Mixed", template({}), {});

  const { id } = await server.client.deployments.get(group.deploymentId("mIXED"));

  assert.ok(id.endsWith("/Mixed"), id);
  assert.equal((await server.client.deployments.list(group.scope)).length, 1);
});

it("many deployments at once into one group end as each of them would alone", async () => {
  const group = await DeployGroup.create(server.client, "crowd");
  const names = Array.from({ length: 25 }, (_, index) => `d${index}`);

  const ended = await Promise.all(
    names.map((name) =>
      group.deploy(name, template({ own: widget(`own-${name}`), part: moduleOf(`part-${name}`, template({})) }), {}),
    ),
  );

  assert.deepEqual(new Set(ended.map(({ state }) => state)), new Set(["Succeeded"]));
  assert.equal(Object.keys(await states(group)).length, names.length);
});

function template(resources: JsonObject): JsonObject {
  return {
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    languageVersion: "2.0",
    contentVersion: "1.0.0.0",
    imports: { radius: { provider: "Radius", version: "latest" } },
    resources,
  };
}

function widget(name: string, properties: JsonObject = {}): JsonObject {
  return {
    import: "radius",
    type: "Radius.Test/widgets@2025-01-01",
    properties: { name, properties: { title: name, ...properties } },
  };
}

function moduleOf(name: string, nested: JsonValue): JsonObject {
  return {
    type: "Microsoft.Resources/deployments",
    apiVersion: "2025-04-01",
    name,
    properties: { expressionEvaluationOptions: { scope: "inner" }, mode: "Incremental", template: nested },
  };
}

/** Waits until the deployment has begun with the target of that name. */
function untilListed(group: DeployGroup, deployment: string, name: string): Promise<boolean> {
  return until(`'${name}' is listed`, async () => targets(await group.operations(deployment)).includes(name));
}

function targets(operations: Awaited<ReturnType<DeployGroup["operations"]>>): string[] {
  return [...operations.values()].flat().flatMap(({ target }) => target?.name ?? []);
}

async function states(group: DeployGroup): Promise<Record<string, unknown>> {
  const documents = [...(await group.documents()).values()];
  return Object.fromEntries(
    documents.map(({ name, properties }) => [name, (properties as JsonObject)["provisioningState"]]),
  );
}

/** Why a deployment is refused, or fails, as text. */
async function refusal(deploying: Promise<{ readonly error: ClientError | undefined }>): Promise<string> {
  const error = await deploying.then(
    (deployment) => deployment.error,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ClientError, "it was not refused");
  return JSON.stringify(error.wire);
}
