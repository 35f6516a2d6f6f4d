import { ApiError, type JsonObject, jsonPointer, objectMember } from "@rad/core";
import type { ResourceSchema } from "@rad/resource-types";
import type { Done, SealedValues } from "../resource-handler.ts";

/** More than any resource needs, and little enough for every reader. */
const maxCharacters = 4 * 1024 * 1024;
const maxNamed = 10;
const statusPointer = "/properties/status";

export interface StoredProperties {
  readonly visible: JsonObject;
  readonly secrets: SealedValues;
}

export interface ResultContext {
  /** Absent when any properties will do. */
  readonly schema: ResourceSchema | undefined;
  /** For messages. */
  readonly type: string;
  /** What is sealed already. */
  readonly sealed: SealedValues;
}

/**
 * Splits a handler's result into what is stored in the document and what is sealed, by the marks of the schema.
 * @throws ApiError `Internal`, which ends the operation, for results that cannot be stored.
 */
export function applyResult({ schema, type, sealed }: ResultContext, done: Omit<Done, "kind">): StoredProperties {
  requireFittingSize(type, done);
  if (schema === undefined) {
    return sealAlso({ visible: done.properties, secrets: {} }, done.secrets ?? {}, sealed);
  }
  // The schema wants to see the values themselves, where they are shown as `null`.
  const kept = Object.entries(sealed).filter(
    ([pointer]) => jsonPointer.get({ properties: done.properties }, pointer) === null,
  );
  let complete: JsonObject = { properties: done.properties };
  for (const [pointer, value] of kept) {
    complete = jsonPointer.set(complete, pointer, value);
  }
  const properties = objectMember(complete, "properties");
  requireFittingShape(type, schema, properties);
  return sealAlso(schema.splitSecrets(properties), { ...Object.fromEntries(kept), ...done.secrets }, {});
}

function requireFittingShape(type: string, schema: ResourceSchema, properties: JsonObject): void {
  const { dropped } = schema.dropUnknown(properties);
  if (dropped.length > 0) {
    throw unfit(type, `members that its schema does not have: ${dropped.slice(0, maxNamed).join(", ")}.`);
  }
  const problems = schema.validate(properties);
  if (problems.length > 0) {
    const named = problems.slice(0, maxNamed).map(({ path, message }) => `${path} ${message}`);
    throw unfit(type, `what its schema does not allow: ${named.join("; ")}`);
  }
}

function unfit(type: string, what: string): ApiError {
  return new ApiError("Internal", `The handler of '${type}' returned ${what}`);
}

/**
 * What a handler saves in the middle of its work.
 * @param secrets by pointer below the status
 * @throws ApiError `Internal` for what cannot be stored.
 */
export function applyStatus(
  { schema, type, sealed }: ResultContext,
  stored: JsonObject,
  { status, secrets }: { readonly status: JsonObject; readonly secrets: SealedValues },
): StoredProperties {
  requireFittingSize(type, { properties: { ...stored, status }, secrets });
  const marked = schema?.splitSecrets({ status }) ?? { visible: { status }, secrets: {} };
  const members = Object.entries(secrets);
  const misplaced = members.find(([pointer]) => !pointer.startsWith("/"));
  if (misplaced !== undefined) {
    throw sealedNowhere(misplaced[0]);
  }
  const below = Object.fromEntries(members.map(([pointer, value]) => [statusPointer + pointer, value]));
  return sealAlso({ visible: { ...stored, ...marked.visible }, secrets: marked.secrets }, below, sealed);
}

/**
 * Seals `more` as well, and keeps of what was `sealed` before whatever is still shown as `null`.
 * @throws ApiError `Internal` for a pointer that leads nowhere: its value would be lost.
 */
export function sealAlso(split: StoredProperties, more: SealedValues, sealed: SealedValues): StoredProperties {
  let body: JsonObject = { properties: split.visible };
  for (const pointer of Object.keys(more)) {
    body = jsonPointer.set(body, pointer, null);
  }
  const lost = Object.keys(more).find((pointer) => jsonPointer.get(body, pointer) !== null);
  if (lost !== undefined) {
    throw sealedNowhere(lost);
  }
  const fresh = { ...split.secrets, ...more };
  const kept = Object.entries(sealed).filter(
    ([pointer]) => !Object.hasOwn(fresh, pointer) && jsonPointer.get(body, pointer) === null,
  );
  return { visible: objectMember(body, "properties"), secrets: { ...Object.fromEntries(kept), ...fresh } };
}

function sealedNowhere(pointer: string): ApiError {
  return new ApiError("Internal", `The handler seals a value at '${pointer}', where its result has no place for one.`);
}

function requireFittingSize(type: string, { properties, secrets = {} }: Omit<Done, "kind">): void {
  const characters = JSON.stringify(properties).length + JSON.stringify(secrets).length;
  if (characters > maxCharacters) {
    throw unfit(type, `${characters} characters; at most ${maxCharacters} can be stored.`);
  }
}
