import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { atOnce, isJsonObject, type JsonObject, jsonPointer, type JsonValue, objectMember, Redactor } from "@rad/core";
import type { ContentOrder } from "@rad/deployments";
import { authoredMembers, type KubernetesObject, withoutCopies } from "@rad/kubernetes";
import type { ResourcePreview } from "@rad/resources";

/** The content of a template, and the JSON pointers of what is made of a secret in it. */
export type SecretContent = Pick<ContentOrder, "body" | "secrets">;

/**
 * An object as others may see it: without what only the API server sets, and `null` in place of values made of a secret
 * and of those of a Secret. An API server merges lists and copies values, so secrets may be in other places, too: there
 * they are redacted.
 */
export function hidden(object: KubernetesObject, content: SecretContent): JsonObject {
  const shown = withoutSecrets(withoutCopies(object), content.secrets);
  const redactor = new Redactor();
  using _ = redactor.add(secretTexts(content));
  return redactor.redactJson(shown);
}

function secretTexts({ body, secrets }: SecretContent): string[] {
  return secrets.flatMap((pointer) => {
    const value = jsonPointer.get(body, pointer);
    return typeof value === "string" ? [value] : [];
  });
}

function withoutSecrets(object: KubernetesObject, secrets: readonly string[]): JsonObject {
  const shown = authoredMembers(object);
  const places = secretPlaces(object, secrets).filter((pointer) => jsonPointer.get(shown, pointer) !== undefined);
  return atOnce(
    jsonPointer.setAll(
      shown,
      places.map((pointer) => [pointer, null] as const),
    ),
  );
}

/** Which of the secret members would be set, replaced or removed. */
export function changedSecrets(
  before: KubernetesObject | undefined,
  after: KubernetesObject,
  secrets: readonly string[],
): ResourcePreview["changedSecrets"] {
  const places = new Set([
    ...secretPlaces(after, secrets),
    ...(before === undefined ? [] : secretPlaces(before, secrets)),
  ]);
  return [...places].flatMap((pointer) => {
    const old = before && jsonPointer.get(before, pointer);
    const fresh = jsonPointer.get(after, pointer);
    if (isDeepStrictEqual(old, fresh)) {
      return [];
    }
    return [{ pointer, change: old === undefined ? "create" : fresh === undefined ? "delete" : "modify" } as const];
  });
}

/** Digests in place of values made of a secret: they tell whether a value changes, and not what it is. */
export function withDigests(object: KubernetesObject, secrets: readonly string[]): KubernetesObject {
  const places = secrets.flatMap((pointer) => {
    const value = jsonPointer.get(object, pointer);
    return value === undefined
      ? []
      : [[pointer, `(secret ${hash("sha256", JSON.stringify(value)).slice(0, 16)})`] as const];
  });
  return atOnce(jsonPointer.setAll(object, places)) as KubernetesObject;
}

/** What is there with the members of `patch` laid over it, as a JSON merge patch does. */
export function mergedObject(current: KubernetesObject, patch: KubernetesObject): KubernetesObject {
  return merge(ownContent(current), patch) as KubernetesObject;
}

function ownContent(object: KubernetesObject): JsonObject {
  const { status: _status, metadata, ...rest } = object;
  const { labels, annotations, name, namespace } = metadata;
  return {
    ...rest,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
  };
}

function merge(current: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch) || !isJsonObject(current)) {
    return patch;
  }
  const members = Object.entries(patch).map(([name, value]) => [name, merge(current[name], value)] as const);
  return { ...current, ...Object.fromEntries(members) };
}

function secretPlaces(object: KubernetesObject, secrets: readonly string[]): readonly string[] {
  const isSecret = object.kind === "Secret" && object.apiVersion === "v1";
  const values = ["data", "stringData"].flatMap((member) =>
    isSecret ? Object.keys(objectMember(object, member)).map((key) => jsonPointer.of([member, key])) : [],
  );
  return [...new Set([...secrets, ...values])];
}
