import { asSecretReference, formatPath, isJsonObject, objectMember } from "@rad/core";
import type { JsonObject, JsonValue, PathSegment } from "@rad/core";
import {
  argumentName,
  isBackendType,
  isDataMap,
  isSecretArgument,
  requiredArguments,
  variableOfArgument,
} from "@rad/core/terraform";
import type { Problem } from "@rad/resource-types";
import { isLabel } from "../../rendering/names.ts";

const configPath = ["properties", "backend", "config"];

/** What is wrong with `backend`; its type is the schema's to check. No message repeats a value. */
export function backendProblems(backend: JsonObject): readonly Problem[] {
  const { type } = backend;
  if (typeof type !== "string" || !isBackendType(type)) {
    return [];
  }
  const config = objectMember(backend, "config");
  const given = new Map<string, string>();
  const problems: Problem[] = [];
  for (const member of Object.keys(config)) {
    const argument = argumentName(member);
    const other = given.get(argument);
    if (other !== undefined) {
      problems.push(problem([...configPath, member], `is the same argument as '${other}'.`));
    }
    given.set(argument, member);
    problems.push(...valueProblems(type, argument, config[member] ?? null, [...configPath, member]));
  }
  for (const argument of requiredArguments(type).filter((name) => isMissing(config, given.get(name)))) {
    problems.push(problem([...configPath, camelCase(argument)], `is required for the backend '${type}'.`));
  }
  const names = type === "kubernetes" ? kubernetesNames : requiredArguments(type);
  problems.push(...names.flatMap((argument) => nameProblems(type, config, given.get(argument))));
  return problems;
}

/** The arguments that name the place of a state; those of the other backends are required. */
const kubernetesNames = ["secret_suffix", "namespace"];

function isMissing(config: JsonObject, member: string | undefined): boolean {
  return member === undefined || config[member] === null || config[member] === "";
}

function valueProblems(
  type: string,
  argument: string,
  value: JsonValue,
  path: readonly PathSegment[],
): readonly Problem[] {
  if (value === null) {
    return [];
  }
  if (isJsonObject(value) && (Object.hasOwn(value, "secretId") || isSecretArgument(type, argument))) {
    return referenceProblems(type, argument, value, path);
  }
  if (isSecretArgument(type, argument)) {
    return [problem(path, "is a credential, and settings keep none: write { secretId, key }.")];
  }
  if (typeof value === "string") {
    return holdsPassword(value)
      ? [problem(path, "has a password in it: keep it in a secret, and write { secretId, key }.")]
      : [];
  }
  if (typeof value !== "object" || isDataMap(argument)) {
    return [];
  }
  const members: readonly (readonly [PathSegment, JsonValue])[] = Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : Object.entries(value);
  return members.flatMap(([name, item]) =>
    valueProblems(type, typeof name === "string" ? argumentName(name) : argument, item, [...path, name]),
  );
}

function referenceProblems(
  type: string,
  argument: string,
  value: JsonObject,
  path: readonly PathSegment[],
): readonly Problem[] {
  if (asSecretReference(value) === undefined) {
    const rule = "the id of a Radius.Security/secrets or an Applications.Core/secretStores, and a key.";
    return [problem(path, `is no reference to a secret: it needs exactly secretId and key, ${rule}`)];
  }
  return variableOfArgument(type, argument) === undefined
    ? [problem(path, "cannot be a secret: the backend reads this argument from its configuration file only.")]
    : [];
}

/** In a URL, or in the connection string of a database. */
function holdsPassword(value: string): boolean {
  return /:\/\/[^/\s:@]*:[^/\s@]+@/.test(value) || /\bpassword\s*=/i.test(value);
}

/** A name that is no text would be left out of the name of the state. */
function nameProblems(type: string, config: JsonObject, member: string | undefined): readonly Problem[] {
  const value = member === undefined ? null : (config[member] ?? null);
  if (member === undefined || value === null || asSecretReference(value) !== undefined) {
    return [];
  }
  if (typeof value !== "string") {
    return [problem([...configPath, member], "must be a string.")];
  }
  return type === "kubernetes" && !isLabel(value)
    ? [
        problem(
          [...configPath, member],
          "must have at most 63 lower-case letters, digits and hyphens, and start and end with a letter or digit.",
        ),
      ]
    : [];
}

function camelCase(argument: string): string {
  return argument.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function problem(path: readonly PathSegment[], message: string): Problem {
  return { path: formatPath(path), message };
}
