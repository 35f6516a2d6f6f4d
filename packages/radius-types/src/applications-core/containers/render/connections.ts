import { ApiError, isBuiltInNamespace } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { dependencyOf } from "../../../rendering/dependency.ts";
import { environmentText } from "../../../rendering/environment-text.ts";
import type { Dependency } from "../../../rendering/renderer.ts";
import { sortedEntries } from "../../../rendering/sorted-entries.ts";
import { readSource } from "./connection-source.ts";
import type { Connection } from "./container-properties.ts";
import type { Variables } from "./env.ts";
import type { AzureRole } from "./identity.ts";
import { isSecretKey, ownSecretReference } from "./own-secret.ts";
import type { Workload } from "./workload.ts";

export interface ConnectionOutcome extends Variables {
  readonly roles: readonly AzureRole[];
}

/** What connections give to the container. Of two variables with one name the first one is kept. */
export function connect(workload: Workload): ConnectionOutcome {
  const env = new Map<string, JsonObject>();
  const secretValues = new Map<string, string>();
  const roles: AzureRole[] = [];
  for (const [name, connection] of sortedEntries(workload.properties.connections ?? {})) {
    if (connection.source === "") {
      continue;
    }
    roles.push(...rolesOf(name, connection));
    if (connection.disableDefaultEnvVars === true) {
      continue;
    }
    const isSealed = workload.sealed.has("connections", name, "source");
    for (const { key, value, isPlain } of valuesOf(workload, connection)) {
      const variable = variableName(name, key);
      if (env.has(variable)) {
        continue;
      }
      if (isPlain && !isSealed) {
        env.set(variable, { name: variable, value });
      } else {
        env.set(variable, ownSecretReference(workload, variable));
        secretValues.set(variable, value);
      }
    }
  }
  return { env, secretValues, roles };
}

function rolesOf(name: string, { source, iam }: Connection): AzureRole[] {
  if (iam?.kind !== "azure" || iam.roles === undefined || iam.roles.length === 0) {
    return [];
  }
  if (readSource(source).kind !== "azure") {
    throw new ApiError(
      "BadRequest",
      `The connection '${name}' asks for Azure roles on '${source}', which is not an Azure resource. ` +
        "Remove 'iam', or name the Azure resource as the source.",
    );
  }
  return iam.roles.map((role) => ({ scope: source, role }));
}

interface ConnectionValue {
  readonly key: string;
  readonly value: string;
  /** Not from a resource, so it needs no Secret. */
  readonly isPlain: boolean;
}

function valuesOf({ context }: Workload, { source }: Connection): ConnectionValue[] {
  const read = readSource(source);
  switch (read.kind) {
    case "url":
      return [
        { key: "scheme", value: read.scheme, isPlain: true },
        { key: "hostname", value: read.hostname, isPlain: true },
        { key: "port", value: read.port, isPlain: true },
      ];
    case "radius":
      return dependencyValues(dependencyOf(context, source)).map(([key, value]) => ({
        key,
        value: environmentText(value),
        isPlain: false,
      }));
    case "azure":
    case "other":
      return [];
    default:
      return read satisfies never;
  }
}

/** What says how the resource is managed is of no use to a program that connects to it. */
const skipped = new Set([
  "application",
  "environment",
  "status",
  "provisioningState",
  "connections",
  "codeReference",
  "secrets",
]);

/** Types that upstream has no code for give their properties, too. */
function dependencyValues({ id, values, secretValues, properties }: Dependency): [string, JsonValue][] {
  const given = isBuiltInNamespace(id.namespace) ? [values, secretValues] : [values, secretValues, properties];
  return given.flatMap((members) => sortedEntries<JsonValue>(members)).filter(([key]) => !skipped.has(key));
}

function variableName(connection: string, key: string): string {
  const name = `CONNECTION_${connection}_${key}`.toUpperCase();
  if (!isSecretKey(name)) {
    throw new ApiError(
      "BadRequest",
      `The connection '${connection}' would set the environment variable '${name}', and only letters, digits, '-', '_' and '.' can be ` +
        "in its name. Rename the connection, or set its 'disableDefaultEnvVars' to true and name the values in 'env'.",
    );
  }
  return name;
}
