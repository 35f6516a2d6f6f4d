import { formatPath, isJsonObject, isSecretId, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { registryHostProblem } from "@rad/core/terraform";
import type { Problem } from "@rad/resource-types";

/** What each method of upstream's spelling needs. */
const needed: Readonly<Record<string, readonly string[]>> = {
  BasicAuth: ["basicAuthSecretId"],
  AzureWI: ["azureWiClientId", "azureWiTenantId"],
  AwsIrsa: ["awsIamRoleArn"],
};
const members = Object.values(needed).flat();

/** What is wrong with registries beyond the shape of their entries. No message repeats a value. */
export function registryProblems(properties: JsonObject): readonly Problem[] {
  const nested = objectMember(objectMember(properties, "authentication"), "registries");
  const flat = objectMember(properties, "registryAuthentications");
  const nestedHosts = new Set(Object.keys(nested).map((host) => host.toLowerCase()));
  return [
    ...Object.keys(nested).flatMap((host) => nestedProblems(nested, host)),
    ...Object.keys(flat).flatMap((host) => [
      ...flatProblems(flat, host),
      ...(nestedHosts.has(host.toLowerCase())
        ? [
            problem(
              ["registryAuthentications", host],
              "is in authentication.registries too; write a host in one place.",
            ),
          ]
        : []),
    ]),
  ];
}

function nestedProblems(registries: JsonObject, host: string): readonly Problem[] {
  const path = ["authentication", "registries", host];
  const entry = registries[host];
  const problems = hostProblems(path, host);
  if (!isJsonObject(entry)) {
    return problems;
  }
  const methods = Object.keys(entry);
  if (methods.length !== 1) {
    problems.push(problem(path, "must have exactly one of basic, azureWorkloadIdentity and awsIrsa."));
  }
  const { secretId } = objectMember(objectMember(entry, "basic"), "password");
  if (typeof secretId === "string" && secretId !== "" && !isSecretId(secretId)) {
    problems.push(problem([...path, "basic", "password", "secretId"], secretIdRule));
  }
  return problems;
}

function flatProblems(registries: JsonObject, host: string): readonly Problem[] {
  const path = ["registryAuthentications", host];
  const entry = registries[host];
  const problems = hostProblems(path, host);
  if (!isJsonObject(entry)) {
    return problems;
  }
  const { authenticationMethod: method, basicAuthSecretId } = entry;
  if (typeof basicAuthSecretId === "string" && basicAuthSecretId !== "" && !isSecretId(basicAuthSecretId)) {
    problems.push(problem([...path, "basicAuthSecretId"], secretIdRule));
  }
  const given = members.filter((member) => entry[member] !== undefined && entry[member] !== "");
  if (method === undefined) {
    problems.push(problem([...path, "authenticationMethod"], `must be one of ${Object.keys(needed).join(", ")}.`));
  } else if (typeof method === "string" && Object.hasOwn(needed, method)) {
    const wanted = needed[method] ?? [];
    for (const member of wanted.filter((name) => !given.includes(name))) {
      problems.push(problem([...path, member], `is required for the method ${method}.`));
    }
    for (const member of given.filter((name) => !wanted.includes(name))) {
      problems.push(problem([...path, member], `does not belong to the method ${method}.`));
    }
  }
  return problems;
}

const secretIdRule = "must be the resource id of a Radius.Security/secrets or an Applications.Core/secretStores.";

function hostProblems(path: readonly string[], host: string): Problem[] {
  const rule = registryHostProblem(host);
  return rule === undefined ? [] : [problem(path, rule)];
}

function problem(path: readonly string[], message: string): Problem {
  return { path: formatPath(["properties", ...path]), message };
}
