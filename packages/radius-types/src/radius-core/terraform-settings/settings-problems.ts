import { formatPath, isJsonObject, isSecretId, objectMember } from "@rad/core";
import type { JsonObject, JsonValue, PathSegment } from "@rad/core";
import {
  carriesCredentials,
  isReservedVariable,
  isVariableName,
  mirrorUrlProblem,
  patternProblem,
  registryHostProblem,
} from "@rad/core/terraform";
import type { Problem } from "@rad/resource-types";
import { gitTokenProblems } from "../../git-tokens/git-tokens.ts";
import { logLevels } from "./log-levels.ts";
import { backendProblems } from "./backend-problems.ts";

const hint = "Settings keep no secrets: pass it to the recipe as a parameter { secretId, key }.";

/**
 * What is wrong with Terraform settings beyond the shape of their members, which the schema checks. Takes anything, since
 * both are reported together. No message repeats a value, which may be a secret in the wrong place.
 */
export function settingsProblems(properties: JsonObject): readonly Problem[] {
  const terraformrc = objectMember(properties, "terraformrc");
  return [
    ...installationProblems(objectMember(terraformrc, "providerInstallation")),
    ...entries(terraformrc, "credentials").flatMap(([host, entry]) => credentialProblems(host, entry)),
    ...gitTokenProblems(properties, []),
    ...backendProblems(objectMember(properties, "backend")),
    ...entries(properties, "env").flatMap(([name, value]) => variableProblems(name, value)),
    ...levelProblems(objectMember(properties, "logging")),
  ];
}

function installationProblems(installation: JsonObject): readonly Problem[] {
  const path = ["terraformrc", "providerInstallation"];
  const { url } = objectMember(installation, "networkMirror");
  const wrong = typeof url === "string" ? mirrorUrlProblem(url) : undefined;
  return [
    ...(wrong === undefined ? [] : [problem([...path, "networkMirror", "url"], wrong)]),
    ...["networkMirror", "direct"].flatMap((method) =>
      ["include", "exclude"].flatMap((list) => {
        const patterns = objectMember(installation, method)[list];
        return (Array.isArray(patterns) ? patterns : []).flatMap((pattern, index) => {
          const rule = typeof pattern === "string" ? patternProblem(pattern) : undefined;
          return rule === undefined ? [] : [problem([...path, method, list, index], rule)];
        });
      }),
    ),
  ];
}

function credentialProblems(host: string, entry: JsonValue): readonly Problem[] {
  const path = ["terraformrc", "credentials", host];
  const rule = registryHostProblem(host);
  const problems = rule === undefined ? [] : [problem(path, rule)];
  if (!isJsonObject(entry)) {
    return problems;
  }
  const { token, secret } = entry;
  if ((token === undefined) === (secret === undefined)) {
    problems.push(problem(path, "must have either token { secretId, key } or secret."));
  }
  const { secretId } = objectMember(entry, "token");
  return [
    ...problems,
    ...idProblems([...path, "token", "secretId"], secretId),
    ...idProblems([...path, "secret"], secret),
  ];
}

/** An empty or missing id is the schema's to report. */
function idProblems(path: readonly string[], id: JsonValue | undefined): readonly Problem[] {
  return typeof id === "string" && id !== "" && !isSecretId(id)
    ? [problem(path, "must be the resource id of a Radius.Security/secrets or an Applications.Core/secretStores.")]
    : [];
}

function variableProblems(name: string, value: JsonValue): readonly Problem[] {
  const path = ["env", name];
  if (isJsonObject(value)) {
    return [problem(path, `must be a string. ${hint}`)];
  }
  if (!isVariableName(name)) {
    return [problem(path, "is no name of a variable: letters, digits and underscores, and no digit first.")];
  }
  if (isReservedVariable(name)) {
    return [problem(path, "belongs to the recipe engine, and cannot be set.")];
  }
  return carriesCredentials(name) ? [problem(path, `carries a credential. ${hint}`)] : [];
}

/** The schema's own words are a pattern, which is hard to read. */
function levelProblems({ level }: JsonObject): readonly Problem[] {
  return typeof level === "string" && !logLevels.includes(level.toUpperCase())
    ? [problem(["logging", "level"], `must be one of ${logLevels.join(", ")}, in any case.`)]
    : [];
}

function entries(object: JsonObject, member: string): readonly (readonly [string, JsonValue])[] {
  return Object.entries(objectMember(object, member));
}

/** @param message a sentence of its own, or one that goes on after the path. */
function problem(path: readonly PathSegment[], message: string): Problem {
  return { path: formatPath(["properties", ...path]), message };
}
