import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { it } from "node:test";
import { createClient } from "@rad/client";
import type { ConfigOverrides } from "@rad/control-plane";
import { findInFiles } from "@rad/control-plane/testing";
import type { JsonObject } from "@rad/core";
import { DeployGroup } from "../deploy/group.ts";
import { startServerProcess } from "../support/server-process.ts";
import { fleetTemplate } from "./fleet.ts";

export interface CanaryPlace extends AsyncDisposable {
  readonly kubernetes: NonNullable<ConfigOverrides["kubernetes"]>;
  readonly namespace: string;
  /** Every object of the namespace that may show a value, as text; Secrets are left out. */
  others(namespace: string): Promise<string>;
  /** The decoded values of all Secrets in the namespace; `undefined` where none is kept. */
  secretValues(namespace: string): Promise<readonly string[] | undefined>;
  /** Files in which no value may be. */
  readonly folder?: string;
}

const count = 30;

/** 30 secret values: 15 in a secret store that containers refer to, 15 in their environment and in a connection. */
export function describeCanaries(name: string, open: () => Promise<CanaryPlace>): void {
  it(`${name}: ${count} secret values are in Secrets, and nowhere else`, async () => {
    await using place = await open();
    const directory = await mkdtemp(path.join(tmpdir(), "canaries-"));
    await using _folder = { [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
    const config = { kubernetes: place.kubernetes, logging: { level: "debug" } } as const;
    await using server = await startServerProcess({ folder: directory, config });
    const group = await DeployGroup.create(createClient({ endpoint: server.url, token: server.token }), "canaries");
    const canaries = Array.from({ length: count }, (_, index) => `canary-${index}-${crypto.randomUUID()}`);
    const template = canaryTemplate(place.namespace, canaries.length);
    const values = Object.fromEntries(canaries.map((value, index) => [key(index), value]));
    const parameters = { secrets: values };
    const namespace = `${place.namespace}-fleet`;

    const answers = [
      await group.whatIf("canaries", template, parameters),
      await group.deploy("canaries", template, parameters),
      await group.whatIf("canaries", template, { secrets: { ...values, [key(0)]: `${canaries[0]}-changed` } }),
      ...(await group.documents()).values(),
    ];

    const [, deployed] = answers;
    assert.equal((deployed as { state: string }).state, "Succeeded", JSON.stringify(deployed));
    assertNone("an answer", JSON.stringify(answers), canaries);
    assertNone("an object", await place.others(namespace), canaries);
    const kept = await place.secretValues(namespace);
    for (const canary of kept === undefined ? [] : canaries) {
      assert.ok(
        kept?.some((value) => value.includes(canary)),
        `${canary} is in no Secret`,
      );
    }
    await server.end("SIGTERM");
    assertNone("the log", server.output, canaries);
    for (const folder of [directory, ...(place.folder === undefined ? [] : [place.folder])]) {
      for (const canary of canaries) {
        assert.deepEqual(await findInFiles(folder, canary), []);
        assert.deepEqual(await findInFiles(folder, btoa(canary)), []);
      }
    }
  });
}

function key(index: number): string {
  return `key${index}`;
}

/** The first half goes to the store, the rest to the environment of a container and to what it connects to. */
function canaryTemplate(namespace: string, total: number): JsonObject {
  const half = total / 2;
  const keys = Array.from({ length: total }, (_, index) => key(index));
  const stored = Object.fromEntries(keys.slice(0, half).map((name) => [name, ""]));
  const template = fleetTemplate({ namespace, containers: ["one", "two"], secrets: stored });
  const parameter = (name: string): string => `[parameters('secrets').${name}]`;
  const [password = "", ...inEnvironment] = keys.slice(half);
  const scope = { import: "radius" };
  const properties = (name: string, own: JsonObject): JsonObject => ({ name, location: "global", properties: own });
  const cache: JsonObject = {
    ...scope,
    type: "Applications.Datastores/redisCaches@2023-10-01-preview",
    properties: properties("cache", {
      environment: "[reference('environment').id]",
      application: "[reference('application').id]",
      resourceProvisioning: "manual",
      host: "cache",
      port: 6379,
      secrets: { password: parameter(password) },
    }),
  };
  const env = Object.fromEntries(inEnvironment.map((name) => [name.toUpperCase(), { value: parameter(name) }]));
  const container: JsonObject = {
    ...scope,
    type: "Applications.Core/containers@2023-10-01-preview",
    properties: properties("direct", {
      application: "[reference('application').id]",
      container: { image: "ghcr.io/example/app:1", env },
      connections: { cache: { source: "[reference('cache').id]" } },
    }),
  };
  return { ...template, resources: { ...(template["resources"] as JsonObject), cache, direct: container } };
}

function assertNone(where: string, text: string, canaries: readonly string[]): void {
  const shown = canaries.filter((canary) => text.includes(canary) || text.includes(btoa(canary)));
  assert.deepEqual(shown, [], `${where} shows secret values`);
}
