import { ApiError, isSecretId, objectMember, ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { HandlerContext, ResourceAccess } from "@rad/resources";
import { decodeBase64, decodeUtf8Strictly } from "@rad/templates/bytes";
import { readSecretStore } from "../applications-core/secret-stores/secret-store-handler.ts";
import type { TargetDeps } from "../namespaces/target-deps.ts";
import { sortedMembers, textMember } from "../rendering/members.ts";

/** The values of a secret in clear. */
export interface LoadedSecret {
  /** `generic`, `basicAuthentication`, … */
  readonly kind: string;
  readonly values: Readonly<Record<string, string>>;
}

export interface SecretRequest {
  /** A `Radius.Security/secrets` or an `Applications.Core/secretStores`, group or plane scoped; nothing else is looked up. */
  readonly id: string;
  /** The keys that must be there; all keys when absent. */
  readonly keys?: readonly string[];
}

type LoadContext = Pick<HandlerContext, "requester" | "signal"> & {
  readonly resources: Pick<ResourceAccess, "asServer">;
};

/**
 * Reads a secret on the server's own behalf, as it is now: whoever named it had to be allowed to read it. The values are
 * hidden from logs and errors until the work of `context` ends.
 * @throws ApiError `LoadSecretsFailed`, with the id and the key, never a value.
 */
export async function loadSecret(
  deps: TargetDeps,
  context: LoadContext,
  { id, keys }: SecretRequest,
): Promise<LoadedSecret> {
  const type = ResourceId.tryParse(id)?.type ?? "";
  if (!isSecretId(id)) {
    throw failed(id, `unsupported secret resource type '${type}' for secret '${id}'.`);
  }
  const document = await context.resources.asServer.get(id);
  if (document === undefined) {
    throw failed(id, `The secret '${id}' does not exist. Create it, or refer to another one.`);
  }
  const properties = objectMember(await document.parsed(), "properties");
  const loaded = isRadiusSecret(type)
    ? await radiusSecret(context, document.id, properties)
    : await secretStore(deps, context, document.id, properties);
  const missing = keys?.find((key) => !Object.hasOwn(loaded.values, key));
  if (missing !== undefined) {
    throw failed(id, `'${missing}' secret key was not found in secret store '${id}'.`);
  }
  const wanted = keys ?? Object.keys(loaded.values);
  return { kind: loaded.kind, values: Object.fromEntries(wanted.map((key) => [key, loaded.values[key] ?? ""])) };
}

function isRadiusSecret(type: string): boolean {
  return type.toLowerCase() === "radius.security/secrets";
}

/** The sealed values, decoded: a `base64` value stands for the text that it encodes, as in the Secret that is made of it. */
async function radiusSecret({ resources }: LoadContext, id: string, properties: JsonObject): Promise<LoadedSecret> {
  const sealed = await resources.asServer.secrets(id);
  const values = sortedMembers(objectMember(properties, "data")).flatMap(([key, entry]) => {
    const value = sealed[`/properties/data/${key.replaceAll("~", "~0").replaceAll("/", "~1")}/value`];
    return typeof value === "string" ? [[key, decoded(id, key, entry, value)] as const] : [];
  });
  const kind = textMember(properties, "kind") ?? textMember(properties, "type") ?? "generic";
  return { kind, values: Object.fromEntries(values) };
}

function decoded(id: string, key: string, entry: JsonObject, value: string): string {
  if (entry["encoding"] !== "base64") {
    return value;
  }
  const bytes = decodeBase64(value.replaceAll(/\s/g, ""));
  const text = bytes === undefined ? undefined : decodeUtf8Strictly(bytes);
  if (text === undefined) {
    throw failed(id, `The value of '${key}' in the secret '${id}' is not text in base64.`);
  }
  return text;
}

async function secretStore(
  deps: TargetDeps,
  { requester, signal, resources }: LoadContext,
  id: string,
  properties: JsonObject,
): Promise<LoadedSecret> {
  const listed = await readSecretStore(deps, {
    properties,
    status: objectMember(properties, "status"),
    requester,
    signal,
    secrets: () => resources.asServer.secrets(id),
  }).catch((error: unknown) => {
    if (error instanceof ApiError && !error.transient) {
      throw failed(id, `The secret store '${id}' cannot be read: ${error.message}`, error);
    }
    throw error;
  });
  const values = sortedMembers(objectMember(listed, "data")).map(([key, entry]) => {
    const { value } = entry;
    return [key, typeof value === "string" ? value : ""] as const;
  });
  return { kind: textMember(listed, "type") ?? "generic", values: Object.fromEntries(values) };
}

function failed(id: string, message: string, cause?: unknown): ApiError {
  return new ApiError("LoadSecretsFailed", message, { target: id, cause });
}
