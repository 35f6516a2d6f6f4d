import assert from "node:assert/strict";
import { type JsonObject, objectMember } from "@rad/core";
import type { BoxProcess } from "../../testing/boxes/box-process.ts";
import { boxType } from "../../testing/boxes/box-target.ts";
import { box, boxTemplate } from "../../testing/boxes/box-template.ts";
import type { Engine } from "./engine-kit.ts";
import { module, thing } from "./templates.ts";

export const canary = "canary-5e0b";

const inner = boxTemplate(
  {
    inside: box({ workMs: 5, of: "[parameters('of')]", token: "[parameters('s')]" }),
    last: box({ of: "[reference('inside').id]" }),
  },
  {
    parameters: { of: { type: "string" }, s: { type: "securestring" } },
    outputs: { last: { type: "string", value: "[reference('last').id]" } },
  },
);

/** Boxes that need each other's ids, take their time, are refused at first, are looked up and acted on. */
const boxes = boxTemplate(
  {
    first: box({ size: 1, token: "[concat('made of ', parameters('s'))]" }),
    slow: box({ workMs: 5, of: "[reference('first').id]" }),
    late: box({ title: "[parameters('account')]", workMs: 5, lateId: true, of: "[reference('slow').id]" }),
    retried: box(
      { title: "[concat(parameters('account'), ' retried')]", refuseTimes: 1 },
      { "@options": { retryOn: [["BadRequest"], 2] } },
    ),
    found: box({ title: "[parameters('account')]" }, { existing: true, dependsOn: ["late"] }),
    opened: box({ combination: "[listCombination('first', 'v1').combination]", of: "[reference('found').id]" }),
    mod: module("mod", inner, {
      of: "[reference('late').id]",
      s: "[parameters('s')]",
      account: "[parameters('account')]",
    }),
    noted: thing("noted", { ids: ["[reference('late').id]", "[reference('mod').outputs.last.value]"] }),
  },
  {
    parameters: { s: { type: "securestring" } },
    outputs: { ids: { type: "array", value: "[createArray(reference('first').id, reference('late').id)]" } },
  },
);

/** How many boxes that makes. */
export const boxCount = 7;

export interface BoxOutcome {
  /** Of the deployment's account, by the provider. */
  readonly created: readonly string[];
  /** Of the records, nested deployments included. */
  readonly recorded: readonly string[];
  /** Of the deployment. */
  readonly listed: readonly string[];
}

export async function boxOutcome(engine: Engine, provider: BoxProcess, account: string): Promise<BoxOutcome> {
  const scope = scopeOf(account);
  const { boxes: all } = await provider.ledger();
  const targets = [...(await engine.records("main", scope)), ...(await engine.records("mod", scope))]
    .filter((record) => record["provisioningOperation"] === "Create")
    .map((record) => objectMember(record, "targetResource"))
    .filter(({ resourceType }) => resourceType === boxType);
  const { outputResources = [] } = await engine.properties("main", scope);
  const ids = (list: readonly JsonObject[]): string[] =>
    list.flatMap(({ id }) => (typeof id === "string" && id.startsWith("box-") ? [id] : [])).toSorted();
  return {
    created: ids(all.filter((one) => one.account === account) as unknown as JsonObject[]),
    recorded: ids(targets),
    listed: ids(outputResources as JsonObject[]),
  };
}

/** Nothing that was made is missing on record, nothing on record is missing, and nothing was made twice. */
export async function assertWhole(engine: Engine, provider: BoxProcess, account: string, what: string): Promise<void> {
  const { created, recorded, listed } = await boxOutcome(engine, provider, account);
  assert.equal(created.length, boxCount, `${what}: ${created.length} boxes were created`);
  assert.deepEqual(recorded, created, `${what}: recorded`);
  assert.deepEqual(listed, created, `${what}: listed`);
}

export function scopeOf(account: string): string {
  return `/planes/radius/local/resourcegroups/${account}`;
}

export function boxDeployment(account: string): {
  readonly template: JsonObject;
  readonly scope: string;
  readonly parameters: Record<string, string>;
} {
  return { template: boxes, scope: scopeOf(account), parameters: { account, s: canary } };
}
