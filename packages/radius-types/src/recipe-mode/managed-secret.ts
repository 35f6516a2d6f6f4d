import { objectMember } from "@rad/core";
import type { JsonObject, ResourceId } from "@rad/core";
import type { HandlerContext, Pause } from "@rad/resources";
import { textMember } from "../rendering/members.ts";
import { recipeBackedVersion } from "../shapes/recipe-backed.ts";

const maxLength = 63;

/** The name of the secrets that the server keeps for a resource: `cache-9faf8bd5-secrets`. */
export async function managedSecretName(owner: ResourceId): Promise<string> {
  const bytes = new TextEncoder().encode(owner.toString().toLowerCase());
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hash = Array.from(digest.subarray(0, 4), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const suffix = `-${hash}-secrets`;
  const name = owner.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, "-")
    .slice(0, maxLength - suffix.length)
    .replaceAll(/^-+|-+$/g, "");
  return `${name}${suffix}`.replace(/^-+/, "");
}

/** Creates, updates or removes the secrets of a resource. Returns a pause while an operation works on them. */
export async function keepManagedSecret(
  context: HandlerContext,
  secrets: Readonly<Record<string, string>>,
): Promise<{ readonly name: string | undefined } | Pause> {
  const { id, properties, resources } = context;
  if (Object.keys(secrets).length === 0) {
    return (await removeManagedSecret(context)) ?? { name: undefined };
  }
  const name = await managedSecretName(id);
  const data = Object.fromEntries(Object.entries(secrets).map(([key, value]) => [key, { value }]));
  const { environment, application } = properties;
  const body: JsonObject = {
    location: "global",
    properties: {
      ...(typeof environment === "string" ? { environment } : {}),
      ...(typeof application === "string" ? { application } : {}),
      data,
    },
  };
  const operation = await resources.put({ id: secretId(id, name), apiVersion: recipeBackedVersion, body });
  return operation === undefined ? { name } : { kind: "waiting", for: [operation] };
}

/** @returns a pause while it is being deleted */
export async function removeManagedSecret({ id, properties, resources }: HandlerContext): Promise<Pause | undefined> {
  const name = textMember(objectMember(properties, "secrets"), "name");
  if (name === undefined || name !== (await managedSecretName(id))) {
    return undefined;
  }
  const operation = await resources.delete({ id: secretId(id, name), apiVersion: recipeBackedVersion });
  return operation === undefined ? undefined : { kind: "waiting", for: [operation] };
}

function secretId({ rootScope }: ResourceId, name: string): string {
  return `${rootScope}/providers/Radius.Security/secrets/${name}`;
}
