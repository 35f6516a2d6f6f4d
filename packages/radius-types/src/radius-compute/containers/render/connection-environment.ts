import { objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { environmentText } from "../../../rendering/environment-text.ts";
import { sortedMembers, textMember } from "../../../rendering/members.ts";
import type { Dependency, RenderContext } from "../../../rendering/renderer.ts";
import { secretNameOf } from "./secret-name.ts";

const skipped = new Set(["recipe", "status", "provisioningState", "properties", "secretName"]);

/** What a resource's connections bring into its containers. */
export interface ConnectionEnvironment {
  /** Plain variables, sorted by name. */
  readonly variables: readonly (readonly [name: string, value: string])[];
  /** Variables whose values are secret. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Secrets of the cluster, all of whose keys become variables. */
  readonly envFrom: readonly { readonly prefix: string; readonly secretRef: { readonly name: string } }[];
}

/** Ids of the resources that are connected to, unless their variables are not wanted. */
export function connectedIds(properties: JsonObject): readonly string[] {
  return activeConnections(properties).map(([, source]) => source);
}

export function connectionEnvironment(
  properties: JsonObject,
  { dependencies }: Pick<RenderContext, "dependencies">,
): ConnectionEnvironment {
  const variables = new Map<string, string>();
  const secrets: Record<string, string> = {};
  const envFrom: ConnectionEnvironment["envFrom"][number][] = [];
  for (const [name, source] of activeConnections(properties)) {
    const target = dependencies.get(source.toLowerCase());
    const prefix = `CONNECTION_${name.toUpperCase()}_`;
    const secretName = target === undefined ? undefined : secretOf(target);
    if (target === undefined) {
      continue;
    }
    if (secretName !== undefined) {
      envFrom.push({ prefix, secretRef: { name: secretName } });
    }
    if (isSecrets(target)) {
      continue; // its values are all there is to it
    }
    for (const [key, value] of valuesOf(target)) {
      variables.set(prefix + key.toUpperCase(), environmentText(value));
    }
    for (const [key, value] of Object.entries(target.secretValues)) {
      variables.delete(prefix + key.toUpperCase());
      secrets[prefix + key.toUpperCase()] = value;
    }
  }
  return { variables: [...variables].toSorted(([one], [other]) => (one < other ? -1 : 1)), secrets, envFrom };
}

function activeConnections(properties: JsonObject): readonly (readonly [name: string, source: string])[] {
  return sortedMembers(objectMember(properties, "connections")).flatMap(([name, connection]) => {
    const source = textMember(connection, "source");
    return source === undefined || connection["disableDefaultEnvVars"] === true ? [] : [[name, source] as const];
  });
}

function isSecrets({ id }: Dependency): boolean {
  return id.type.toLowerCase() === "radius.security/secrets";
}

/** The Secret that holds what the resource keeps secret. */
function secretOf(target: Dependency): string | undefined {
  return isSecrets(target) ? target.id.name.toLowerCase() : secretNameOf(target.properties);
}

/** Its identity and everything about it that is a single value. */
function valuesOf({ id, properties, values }: Dependency): readonly (readonly [string, JsonValue])[] {
  const all = { ...values, ...properties, id: id.toString(), name: id.name, type: id.type };
  return Object.entries(all).filter(([key, value]) => !skipped.has(key) && isScalar(value));
}

function isScalar(value: JsonValue): boolean {
  return value !== null && typeof value !== "object";
}
