import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { it, type TestContext } from "node:test";
import { createClient } from "@rad/client";
import type { Client, WhatIfChange } from "@rad/client";
import type { ConfigOverrides } from "@rad/control-plane";
import { startTestServer } from "@rad/control-plane/testing";
import type { JsonObject } from "@rad/core";
import { compile } from "../deploy/compile.ts";
import { DeployGroup } from "../deploy/group.ts";

/** Where the objects of a journey end up. */
export interface JourneyPlace extends AsyncDisposable {
  /** What the configuration of the server says about it. */
  readonly kubernetes: NonNullable<ConfigOverrides["kubernetes"]>;
  /** For the environment; nobody else uses namespaces that begin with it. */
  readonly namespace: string;
  /** The objects in a namespace, `Deployment/web`, sorted; without those that every namespace has. */
  objects(namespace: string): Promise<readonly string[]>;
  read(kind: string, namespace: string, name: string): Promise<JsonObject>;
  /** After everything. */
  check(t: TestContext): Promise<void>;
}

const version = { apiVersion: "2023-10-01-preview" };
const password = "canary-journey-4471";

/** A container with one port; with secret or connected values a Secret, too. */
function container(name: string, ...more: readonly string[]): readonly string[] {
  const kinds = ["Deployment", "Role", "RoleBinding", "Service", "ServiceAccount", ...more];
  return kinds.map((kind) => `${kind}/${name}`);
}

const gateway = (name: string): readonly string[] => ["HTTPProxy/gateway", `HTTPProxy/${name}`];

/** The objects after each stage, and what is deleted then: a deployment deletes nothing that its template leaves out. */
const stages: readonly Stage[] = [
  { stage: "first", objects: [...container("web"), ...container("api"), ...gateway("web")], remove: [] },
  { stage: "updated", objects: [...container("web"), ...container("api"), ...gateway("web")], remove: [] },
  {
    stage: "smaller",
    objects: [...container("web"), ...container("api"), ...gateway("web")],
    remove: ["containers/api"],
    left: [...container("web"), ...gateway("web")],
  },
  {
    stage: "renamed",
    objects: [...container("web"), ...container("front"), ...gateway("front")],
    remove: ["containers/web"],
    left: [...container("front"), ...gateway("front")],
  },
];

interface Stage {
  readonly stage: string;
  readonly objects: readonly string[];
  readonly remove: readonly string[];
  readonly left?: readonly string[];
}

/** An application from its first deployment to its end. The place holds exactly what it should at every step. */
export function describeJourney(name: string, open: () => Promise<JourneyPlace>): void {
  it(`${name}: an application is deployed, updated, made smaller, renamed and deleted`, async (t) => {
    await using place = await open();
    const directory = await mkdtemp(path.join(tmpdir(), "journey-"));
    await using _folder = { [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
    await using server = await startTestServer({ directory, overrides: { kubernetes: place.kubernetes } });
    const client = createClient({ endpoint: server.url, token: server.token });
    const group = await DeployGroup.create(client, "journey");
    const template = await compile(path.join(import.meta.dirname, "journey.bicep"));
    const namespace = `${place.namespace}-shop`;
    const here = async (): Promise<readonly string[]> => await place.objects(namespace);
    const expected = (objects: readonly string[]): readonly string[] => [...objects, storeSecret].toSorted();

    for (const { stage, objects, remove, left = objects } of stages) {
      const parameters = { namespace: place.namespace, stage, password };
      const preview = await group.whatIf("journey", template, parameters);
      const deployed = await group.deploy("journey", template, parameters);

      assert.equal(deployed.state, "Succeeded", JSON.stringify(deployed.error));
      assert.deepEqual(await here(), expected(objects), stage);
      assert.doesNotMatch(JSON.stringify([preview, deployed]), /canary/);
      const again = await group.whatIf("journey", template, parameters);
      assert.deepEqual(again.changes.filter(isChange), []);

      await removeAll(client, group, remove);
      assert.deepEqual(await here(), expected(left), `${stage}, after the deletion`);
    }

    const deployment = await place.read("Deployment", namespace, "front");
    assert.match(JSON.stringify(deployment), /ghcr\.io\/example\/web:2.*"medium":"Memory"|"medium":"Memory".*ghcr/s);

    await removeAll(client, group, ["gateways/gateway", "containers/front", "secretStores/keys", "applications/shop"]);
    assert.deepEqual(await here(), []);
    await place.check(t);
  });
}

const storeSecret = "Secret/keys";

/** A cluster alone has the values of a secret store, so nobody can tell beforehand whether they stay the same. */
function isChange({ resourceId, changeType, nestedChanges }: WhatIfChange): boolean {
  const isStore = resourceId.includes("/secretStores/");
  return (changeType !== "NoChange" && !isStore) || nestedChanges.length > 0;
}

async function removeAll(client: Client, group: DeployGroup, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await client.resources.delete(`${group.scope}/providers/Applications.Core/${name}`, version);
  }
}
