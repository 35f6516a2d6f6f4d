import {
  ApiError,
  type JsonObject,
  jsonPointer,
  type JsonValue,
  objectMember,
  Pace,
  pauseAfter,
  printJson,
  type Sliced,
} from "@rad/core";
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
export function* applyResult(
  { schema, type, sealed }: ResultContext,
  done: Omit<Done, "kind">,
): Sliced<StoredProperties> {
  yield* requireFittingSize(type, done);
  if (schema === undefined) {
    return yield* sealAlso({ visible: done.properties, secrets: {} }, done.secrets ?? {}, sealed);
  }
  // The schema wants to see the values themselves, where they are shown as `null`.
  const kept = yield* shownAsNull({ properties: done.properties }, sealed);
  const complete = yield* jsonPointer.setAll({ properties: done.properties }, Object.entries(kept));
  const properties = objectMember(complete, "properties");
  yield* requireFittingShape(type, schema, properties);
  return yield* sealAlso(yield* schema.splitSecrets(properties), { ...kept, ...done.secrets }, {});
}

/** The values whose place in the body is `null`. */
export function* shownAsNull(body: JsonObject, values: SealedValues): Sliced<Record<string, JsonValue>> {
  const pace = new Pace();
  const shown: Record<string, JsonValue> = {};
  for (const pointer of Object.keys(values)) {
    if (jsonPointer.get(body, pointer) === null) {
      shown[pointer] = values[pointer] ?? null;
    }
    const pause = pace.spend();
    if (pause !== undefined) {
      yield pause;
    }
  }
  return shown;
}

function* requireFittingShape(type: string, schema: ResourceSchema, properties: JsonObject): Sliced<void> {
  const { dropped } = yield* schema.dropUnknown(properties);
  if (dropped.length > 0) {
    throw unfit(type, `members that its schema does not have: ${dropped.slice(0, maxNamed).join(", ")}.`);
  }
  const problems = yield* schema.validate(properties);
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
export function* applyStatus(
  { schema, type, sealed }: ResultContext,
  stored: JsonObject,
  { status, secrets }: { readonly status: JsonObject; readonly secrets: SealedValues },
): Sliced<StoredProperties> {
  yield* requireFittingSize(type, { properties: { ...stored, status }, secrets });
  const marked = schema === undefined ? { visible: { status }, secrets: {} } : yield* schema.splitSecrets({ status });
  const members = Object.entries(secrets);
  const misplaced = members.find(([pointer]) => !pointer.startsWith("/"));
  if (misplaced !== undefined) {
    throw sealedNowhere(misplaced[0]);
  }
  const below = Object.fromEntries(members.map(([pointer, value]) => [statusPointer + pointer, value]));
  const visible = yield* pauseAfter(() => ({ ...stored, ...marked.visible }));
  return yield* sealAlso({ visible, secrets: marked.secrets }, below, sealed);
}

/**
 * Seals `more` as well, and keeps of what was `sealed` before whatever is still shown as `null`.
 * @throws ApiError `Internal` for a pointer that leads nowhere: its value would be lost.
 */
export function* sealAlso(split: StoredProperties, more: SealedValues, sealed: SealedValues): Sliced<StoredProperties> {
  const pointers = Object.keys(more);
  const places = pointers.map((pointer) => [pointer, null] as const);
  const body = yield* jsonPointer.setAll({ properties: split.visible }, places);
  const lost = pointers.find((pointer) => jsonPointer.get(body, pointer) !== null);
  if (lost !== undefined) {
    throw sealedNowhere(lost);
  }
  const kept = yield* shownAsNull(body, sealed);
  const secrets = yield* pauseAfter(() => ({ ...kept, ...split.secrets, ...more }));
  return { visible: objectMember(body, "properties"), secrets };
}

function sealedNowhere(pointer: string): ApiError {
  return new ApiError("Internal", `The handler seals a value at '${pointer}', where its result has no place for one.`);
}

function* requireFittingSize(type: string, { properties, secrets = {} }: Omit<Done, "kind">): Sliced<void> {
  const characters = (yield* printJson(properties)).length + (yield* printJson(secrets)).length;
  if (characters > maxCharacters) {
    throw unfit(type, `${characters} characters; at most ${maxCharacters} can be stored.`);
  }
}
