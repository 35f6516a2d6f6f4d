import type { Client, ResourceBody } from "@rad/client";
import { radiusPlane } from "@rad/client";
import { CliError } from "../cli-error.ts";
import { readSettings } from "../environments/environment-settings.ts";
import type { Family } from "../families/choose-families.ts";
import { naturalOrder } from "../output/natural-order.ts";
import { checkGroupName, groupOf } from "../scope.ts";
import type { Questions } from "./questions.ts";

export interface EnvironmentChoice {
  readonly group: string;
  readonly name: string;
  /** Absent when the environment is there already. */
  readonly create?: { readonly namespace: string | undefined };
  readonly id?: string;
}

export interface EnvironmentFlags {
  readonly environment?: string;
  readonly group?: string;
  readonly kubernetesNamespace?: string;
  readonly full?: boolean;
}

const usual = "default";
const createNew = "[create new]";

/** Decides which environment to use: one that is there, or a new one in a group of the same name. Changes nothing. */
export async function chooseEnvironment(
  client: Client,
  family: Family,
  flags: EnvironmentFlags,
  questions: Questions,
): Promise<EnvironmentChoice> {
  const { namespace } = readSettings(flags);
  const given = flags.environment === undefined ? undefined : await checkEnvironmentName(flags.environment);
  const group = flags.group === undefined ? undefined : await checkGroupName(flags.group);
  const { apiVersion } = family;
  const collection = `${radiusPlane}/providers/${family.namespace}/environments`;
  const found = (await client.resources.list(collection, { apiVersion }))
    .filter(({ id }) => group === undefined || isSame(groupOf(id), group))
    .sort(usualFirst);
  if (given !== undefined) {
    return oneCalled(given, found) ?? createdAs(given);
  }
  const existing = oneCalled(usual, found);
  if (flags.full !== true && existing !== undefined) {
    return existing;
  }
  if (found.length > 0) {
    const chosen = await chooseFrom(found, questions);
    if (chosen !== undefined) {
      return chosen;
    }
  }
  if (flags.full !== true) {
    return createdAs(usual);
  }
  const { nameProblem } = await import("./names.ts");
  const name = await questions.text("Name of the environment", usual, (answer) => nameProblem("environment", answer));
  const answer = await questions.text("Kubernetes namespace", namespace ?? usual, (text) =>
    nameProblem("namespace", text),
  );
  return createdAs(name, answer);

  function createdAs(name: string, chosenNamespace = namespace ?? undefined): EnvironmentChoice {
    return { name, group: group ?? name, create: { namespace: chosenNamespace } };
  }
}

async function checkEnvironmentName(name: string): Promise<string> {
  const { nameProblem } = await import("./names.ts");
  const problem = nameProblem("environment", name);
  if (problem !== undefined) {
    throw new CliError("InvalidResourceName", problem);
  }
  return name;
}

/** With `--yes` this is the first of them, or a new one where none is called `default`. */
async function chooseFrom(
  found: readonly ResourceBody[],
  questions: Questions,
): Promise<EnvironmentChoice | undefined> {
  const create = { value: "", label: createNew };
  const options = found.map(({ id, name }) => ({ value: id, label: `${name} (group ${groupOf(id)})` }));
  const hasUsual = isSame(found[0]?.name, usual);
  const id = await questions.choose("Environment", hasUsual ? [...options, create] : [create, ...options]);
  const chosen = found.find((environment) => environment.id === id);
  return chosen === undefined ? undefined : existingOne(chosen);
}

function oneCalled(name: string, found: readonly ResourceBody[]): EnvironmentChoice | undefined {
  const [first, ...others] = found.filter((environment) => isSame(environment.name, name));
  if (others.length > 0) {
    const groups = found.filter((environment) => isSame(environment.name, name)).map(({ id }) => groupOf(id));
    throw new CliError(
      "AmbiguousEnvironment",
      `Several groups have an environment "${name}": ${groups.join(", ")}. Name one with \`--group <name>\`.`,
    );
  }
  return first === undefined ? undefined : existingOne(first);
}

function existingOne({ id, name }: ResourceBody): EnvironmentChoice {
  return { id, name, group: groupOf(id) ?? "" };
}

function usualFirst(a: ResourceBody, b: ResourceBody): number {
  return Number(isSame(b.name, usual)) - Number(isSame(a.name, usual)) || naturalOrder(a.name, b.name);
}

function isSame(a: string | undefined, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase();
}
