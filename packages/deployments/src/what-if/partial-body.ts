import { isJsonObject, type JsonObject, type JsonValue } from "@rad/core";
import type { NodeResult, Outputs, Plan } from "@rad/templates";
import { deploymentType } from "../deployment-document.ts";

/** A body of which only these members are known: every object in it may turn out to have more of them. */
export function partialBody(body: JsonObject): NodeResult {
  return { body, open: new Set(objectsIn(body)) };
}

/** A deployment that is going to run, of which nothing but its identity is known yet. */
export function comingDeployment(id: string, name: string): NodeResult {
  return partialBody({ id, name, type: deploymentType, properties: { provisioningState: "Succeeded", outputs: {} } });
}

/** What is known of the outputs of a deployment that has not run. */
export interface ExpectedOutputs {
  /** Those of which the value is known. */
  readonly known: Outputs;
  /** Those that will be there with a value that is not known. */
  readonly valueless: readonly string[];
  /** There may be others. */
  readonly others: boolean;
}

/** `unknown` has the paths of what could not be evaluated: `$.outputs.name.value`, or `$.outputs.name` for all of it. */
export function expectedOutputs(plan: Plan, outputs: Outputs, unknown: readonly string[]): ExpectedOutputs {
  const names = plan.outputs.map(({ name }) => name);
  const isOf = (path: string, name: string): boolean => `${path}.`.startsWith(`$.outputs.${name}.`);
  const isUnclear = unknown.some((path) => !names.some((name) => isOf(path, name)));
  const isKnown = (name: string): boolean => !isUnclear && !unknown.some((path) => isOf(path, name));
  const given = Object.entries(outputs);
  return {
    known: Object.fromEntries(given.filter(([name]) => isKnown(name))),
    valueless: given.flatMap(([name]) => (isKnown(name) ? [] : [name])),
    others: names.some((name) => !Object.hasOwn(outputs, name) && !isKnown(name)),
  };
}

/** The same for somebody who must not know the secure ones. */
export function withoutSecureOutputs({ known, valueless, others }: ExpectedOutputs): ExpectedOutputs {
  const plain = Object.entries(known).filter(([, output]) => !output.secure);
  const secure = Object.keys(known).filter((name) => known[name]?.secure === true);
  return { known: Object.fromEntries(plain), valueless: [...valueless, ...secure], others };
}

/** A deployment that has run, as a reader sees it. */
export function expectedDeployment(id: string, name: string, outputs: ExpectedOutputs): NodeResult {
  const shown = Object.entries(outputs.known).map(([key, { type, secure, value }]): [string, JsonObject] => [
    key,
    secure || value === undefined ? { type } : { type, value },
  ]);
  const valueless = outputs.valueless.map((key): [string, JsonObject] => [key, {}]);
  const all: JsonObject = Object.fromEntries([...shown, ...valueless]);
  const properties: JsonObject = { provisioningState: "Succeeded", mode: "Incremental", outputs: all };
  const body: JsonObject = { id, name, type: deploymentType, properties };
  const open = new Set<JsonValue>([body, properties, ...valueless.map(([, output]) => output)]);
  return { body, open: outputs.others ? open.add(all) : open };
}

/** The same outputs as `listOutputsWithSecureValues` tells them to the deployment around it. */
export function expectedSecureOutputs({ known, valueless, others }: ExpectedOutputs): NodeResult {
  const values = Object.entries(known).map(([name, { value }]): [string, JsonValue] => [name, value ?? null]);
  const body: JsonObject = Object.fromEntries(values);
  return valueless.length > 0 || others ? { body, open: new Set([body]) } : { body };
}

function* objectsIn(value: JsonValue): Generator<JsonObject> {
  if (isJsonObject(value)) {
    yield value;
  }
  if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) {
      yield* objectsIn(member);
    }
  }
}
