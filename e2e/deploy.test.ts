import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { after, before, it } from "node:test";
import { ClientError } from "@rad/client";
import type { Client, Deployment, DeploymentOperation, ResourceBody, WhatIf } from "@rad/client";
import type { JsonObject } from "@rad/core";
import { caseNames, readCase } from "./deploy/case.ts";
import type { DeployCase } from "./deploy/case.ts";
import { startDeployServer } from "./deploy/deploy-server.ts";
import type { DeployServer } from "./deploy/deploy-server.ts";
import { DeployGroup } from "./deploy/group.ts";
import { describeDeployment, describeError, describeWhatIf, shortId, withoutRandom } from "./deploy/outcome.ts";
import type { Outcome } from "./deploy/outcome.ts";

// E2E_UPDATE=1 writes what happens into the expected.json files; format them and read the differences before you commit.
const update = process.env["E2E_UPDATE"] === "1";
/** Every secret value in the cases contains this. */
const canary = /canary/i;

let server: DeployServer;
let client: Client;

before(async () => {
  server = await startDeployServer();
  client = server.client;
});

after(() => server[Symbol.asyncDispose]());

for (const name of await caseNames()) {
  it(`deploys ${name}`, async () => {
    const deployCase = await readCase(name);
    const group = await DeployGroup.create(client, name);
    if (deployCase.before !== undefined) {
      await succeeds(group.deploy("before", deployCase.before, {}));
    }

    const outcomes: Record<string, Outcome> = {};
    for (const { file, template } of deployCase.versions) {
      outcomes[file] = await deployOnce(group, deployCase, template);
      if (outcomes[file].state === "Succeeded" && deployCase.options.neverSettles !== true) {
        await changesNothingAgain(group, deployCase, template);
      }
    }

    const random = deployCase.options.neverSettles === true;
    await compare(random ? withoutRandom(outcomes) : outcomes, deployCase.expectedFile);
  });
}

/** Predicts, deploys, and holds the prediction against what is stored before and after. */
async function deployOnce(group: DeployGroup, deployCase: DeployCase, template: JsonObject): Promise<Outcome> {
  const { name, parameters } = deployCase;
  const documentsBefore = await group.documents();
  const predicted = await orError(group.whatIf(name, template, parameters));
  assert.deepEqual(await group.documents(), documentsBefore, "what-if changed something");
  const deployed = await orError(group.deploy(name, template, parameters));
  const documents = await group.documents();
  showsNoSecrets(predicted, deployed, documents);

  if (deployed instanceof ClientError) {
    // Refused before it started: nothing may have happened.
    assert.deepEqual(documents, documentsBefore);
    const error = describeError(group.scope, deployed);
    const whatIf = predicted instanceof ClientError ? describeError(group.scope, predicted) : error;
    assert.ok(predicted instanceof ClientError, "what-if predicts changes of a deployment that is refused");
    const nothing = { outputs: {}, outputResources: [], operations: [], resources: {}, secrets: {} };
    return { whatIf, state: "refused", error, ...nothing };
  }
  assert.ok(!(predicted instanceof ClientError), `what-if fails: ${String(predicted)}`);
  const operations = await group.operations(name);
  showsNoSecrets(operations, await client.deployments.exportTemplate(group.deploymentId(name)));
  agree(predicted, changedIds(documentsBefore, documents), deployed);
  const secrets = [...(await group.secrets(documents))].map(([id, secret]) => [shortId(group.scope, id), secret]);
  return {
    whatIf: describeWhatIf(group.scope, predicted),
    ...describeDeployment(group.scope, deployed, operations, documents),
    secrets: Object.fromEntries(secrets),
  };
}

/** What was predicted is what happened; of a deployment that fails on the way, not everything happens. */
function agree(predicted: WhatIf, changed: ReadonlySet<string>, { state }: Deployment): void {
  const expected = new Set(
    [...predicted.changes, ...predicted.potentialChanges]
      .filter(({ changeType }) => changeType === "Create" || changeType === "Modify")
      .map(({ resourceId }) => resourceId.toLowerCase()),
  );
  if (state === "Succeeded") {
    assert.deepEqual([...changed].sort(), [...expected].sort(), "what-if is not what happened");
  } else {
    assert.deepEqual([...changed.difference(expected)], [], "something changed that what-if did not list");
  }
}

/**
 * Ids whose stored document is new or not the same. One that stays equal keeps its times, too; how far the server has
 * come with it is no part of what anybody asked for.
 */
function changedIds(
  documentsBefore: ReadonlyMap<string, ResourceBody>,
  documents: ReadonlyMap<string, ResourceBody>,
): ReadonlySet<string> {
  const gone = [...documentsBefore.keys()].filter((id) => !documents.has(id));
  assert.deepEqual(gone, [], "resources are gone");
  return new Set([...documents.keys()].filter((id) => content(documents.get(id)) !== content(documentsBefore.get(id))));
}

function content(document: ResourceBody | undefined): string {
  return JSON.stringify(document, (name, value: unknown) => (name === "provisioningState" ? undefined : value));
}

async function changesNothingAgain(group: DeployGroup, deployCase: DeployCase, template: JsonObject): Promise<void> {
  const { name, parameters } = deployCase;
  const documentsBefore = await group.documents();
  const { changes, potentialChanges } = await group.whatIf(name, template, parameters);
  const possible = deployCase.options.callsMethods === true ? [] : potentialChanges;
  const left = [...changes, ...possible].filter(({ changeType }) => !isQuiet(changeType));
  assert.deepEqual(left, [], "what-if after the deployment lists changes");

  await succeeds(group.deploy(name, template, parameters));

  assert.deepEqual(await group.documents(), documentsBefore);
  const writes = [...(await group.operations(name)).values()].flat().filter(isWrite);
  const changed = writes.filter(({ changeType }) => changeType !== "NoChange");
  assert.deepEqual(
    changed.map(({ target }) => target?.id),
    [],
    "operations that say they changed something",
  );
}

function isQuiet(changeType: string): boolean {
  return changeType === "NoChange" || changeType === "Ignore";
}

function isWrite({ kind, target }: DeploymentOperation): boolean {
  return kind === "Create" && target?.type !== "Microsoft.Resources/deployments";
}

async function succeeds(deploying: Promise<Deployment>): Promise<void> {
  const { state, error } = await deploying;
  assert.equal(state, "Succeeded", JSON.stringify(error?.wire, null, 2));
}

async function orError<T>(work: Promise<T>): Promise<T | ClientError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ClientError) {
      return error;
    }
    throw error;
  }
}

function showsNoSecrets(...values: readonly unknown[]): void {
  const text = JSON.stringify(values, (_, value: unknown) => {
    if (value instanceof ClientError) {
      return { message: value.message, wire: value.wire };
    }
    return value instanceof Map ? [...value] : value;
  });
  assert.doesNotMatch(text, canary);
}

async function compare(outcomes: Readonly<Record<string, Outcome>>, file: string): Promise<void> {
  if (update) {
    await writeFile(file, `${JSON.stringify(outcomes, null, 2)}\n`);
    return;
  }
  assert.deepEqual(outcomes, JSON.parse(await readFile(file, "utf8")));
}
