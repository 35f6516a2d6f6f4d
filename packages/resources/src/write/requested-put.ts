import {
  ApiError,
  copyMembers,
  inSlices,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectMember,
  pauseAfter,
  ResourceId,
  type Sliced,
} from "@rad/core";
import { splitMoreSecrets, type SplitSecrets } from "@rad/resource-types";
import type { DocumentChange, Guard, Store, StoredDocument } from "@rad/store";
import { changedReferences } from "../references/referring.ts";
import { requireReadOfParameters } from "../references/secret-parameters.ts";
import { type Permissions, requirePermission, serverReader } from "../resource-access.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { checkPreconditions } from "./preconditions.ts";
import { methodNotAllowed } from "../method-not-allowed.ts";
import { droppedMembers } from "./dropped-members.ts";
import { expecting, type ExpectedResources } from "../handling/expected-resources.ts";
import { hideSecrets } from "../handling/hide-secrets.ts";
import { hideSecretNames } from "./secret-names.ts";
import { invalidBody, readEnvelope } from "./envelope.ts";
import { keepSealed, type RequestBody } from "./keep-sealed.ts";
import { requireIdle } from "../resource-state.ts";
import { resourceNotFound } from "../scopes.ts";
import { serverOwned } from "../handling/split-status.ts";
import type { ServedType, ServedVersion, TypeDirectory } from "../types/served-type.ts";

/** A PUT or PATCH that passed every check: what would be stored, and what is stored now. */
export interface RequestedPut {
  readonly type: ServedType;
  readonly version: ServedVersion;
  /** Spelled as at the first write. */
  readonly id: ResourceId;
  readonly current: StoredDocument | undefined;
  /** What was asked for the last time, sensitive members `null`. */
  readonly stored: JsonObject;
  readonly tags: JsonObject;
  readonly properties: SplitSecrets;
  /** Warnings for the caller, such as members that are not stored. */
  readonly warnings: readonly string[];
  /** What must still hold when it is written. */
  readonly guards: readonly Guard[];
  /** What is written with it. */
  readonly also: readonly DocumentChange[];
}

export interface RequestedPutOptions {
  readonly method: "PUT" | "PATCH";
  /** A preview may look at a resource that is being changed. */
  readonly whileBusy?: boolean;
  /** JSON pointers into the body: values to seal, whatever the schema says. */
  readonly secrets?: readonly string[];
  /** Other resources that will have been written by then, for previews. */
  readonly expected?: ExpectedResources;
  /** What is stored now, where it is not to be read. */
  readonly current?:
    | ((type: ServedType) => StoredDocument | undefined | Promise<StoredDocument | undefined>)
    | undefined;
}

/** @throws ApiError with everything that is wrong with the request. */
export async function readPut(
  deps: { readonly store: Store; readonly types: TypeDirectory; readonly permissions: Permissions },
  request: ResourceRequest,
  options: RequestedPutOptions,
): Promise<RequestedPut> {
  const { store } = deps;
  const type = await deps.types.resolve(request.id, request.apiVersion);
  const version = type.version(request.apiVersion);
  const read = await readBody(store, request, type, options.method);
  const keeping = type.handler.keepsSealed === undefined ? read : keepSealed(store, request, type, read);
  const { body, basis, kept = [] } = keeping instanceof Promise ? await keeping : keeping;
  const opening = inSlices(readEnvelope(body, type));
  const envelope = opening instanceof Promise ? await opening : opening;
  const problem = type.checkName(request.id.name);
  if (problem !== undefined) {
    throw new ApiError("InvalidRequestContent", problem, { target: request.id.toString() });
  }
  const more = sealablePointers([...(options.secrets ?? []), ...kept], body, request.id);
  const checking = inSlices(checkProperties(type, version, envelope.properties, more));
  const { completed, dropped, sent } = checking instanceof Promise ? await checking : checking;
  const hiding = inSlices(hideSecrets((values) => request.hide(values), sent.secrets));
  if (hiding instanceof Promise) {
    await hiding;
  }
  const reading = basis ?? (options.current ?? (() => store.get(request.id.toString())))(type);
  const current = reading instanceof Promise ? await reading : reading;
  const parsing = current?.parsed();
  if (parsing instanceof Promise) {
    await parsing;
  }
  checkPreconditions(request, current, request.id);
  if (options.whileBusy !== true) {
    requireIdle(current);
  }
  checkFixedScope(type, completed, current);
  const isSpelledAlike = current === undefined || current.id === request.id.toString();
  const id = isSpelledAlike ? request.id : ResourceId.parse(current.id);
  const requireRead = (other: string): void => requirePermission(deps.permissions, request.caller, "read", other);
  requireReadOfParameters(completed, current, requireRead);
  const validated = await type.handler.validate?.({
    id,
    apiVersion: version.name,
    properties: completed,
    current,
    resources: expecting(
      serverReader(store, (values) => request.hide(values)),
      options.expected ?? (() => undefined),
    ),
    requireRead,
  });
  const properties = validated?.properties ?? completed;
  const references = changedReferences(type.handler, { id, apiVersion: version.name, properties }, current);
  const splitting =
    validated?.properties === undefined ? sent : inSlices(splitSecrets(version, validated.properties, more));
  const split = splitting instanceof Promise ? await splitting : splitting;
  if (validated?.secrets !== undefined) {
    await inSlices(hideSecrets((values) => request.hide(values), validated.secrets));
  }
  const stripping = current === undefined ? {} : inSlices(storedProperties(version, current));
  return {
    type,
    version,
    id,
    current,
    stored: withoutRecipeStatus(stripping instanceof Promise ? await stripping : stripping, completed),
    tags: envelope.tags,
    properties:
      validated?.secrets === undefined ? split : { ...split, secrets: { ...split.secrets, ...validated.secrets } },
    warnings: [
      ...droppedMembers(dropped),
      ...(type.handler.warnings?.({ properties }) ?? []),
      ...(validated?.warnings ?? []),
    ],
    guards: [...version.guards, ...(validated?.guards ?? []), ...references.guards],
    also: [...(validated?.also ?? []), ...references.also],
  };
}

/**
 * Without what only the server may set, and with the defaults, which the type may have got only since: they are filled in
 * at the next write, and until then are no change.
 */
function* storedProperties({ schema }: ServedVersion, current: StoredDocument): Sliced<JsonObject> {
  const properties = objectMember(current.body, "properties");
  return schema === undefined
    ? yield* copyMembers(properties, serverOwned)
    : yield* schema.applyDefaults(yield* schema.stripReadOnly(properties));
}

/**
 * Where a schema does not describe `recipe`, the server shows there which recipe ran and how that ended. Of a resource that
 * names no recipe, `default` is the server's word as well.
 */
function withoutRecipeStatus(stored: JsonObject, asked: JsonObject): JsonObject {
  const { recipe, ...rest } = stored;
  if (!isJsonObject(recipe) || recipe["recipeStatus"] === undefined) {
    return stored;
  }
  const { recipeStatus: _status, name, ...own } = recipe;
  const isNamed = name !== undefined && (name !== "default" || objectMember(asked, "recipe")["name"] !== undefined);
  const kept: JsonObject = { ...(isNamed ? { name } : {}), ...own };
  return asked["recipe"] === undefined && Object.keys(kept).length === 0 ? rest : { ...rest, recipe: kept };
}

async function readBody(
  store: Store,
  request: ResourceRequest,
  type: ServedType,
  method: RequestedPutOptions["method"],
): Promise<RequestBody> {
  if (method !== "PATCH") {
    return { body: request.body };
  }
  if (type.policy.patch === "none") {
    throw methodNotAllowed(method, request.id);
  }
  const basis = await store.get(request.id.toString());
  if (basis === undefined) {
    throw await resourceNotFound(store, request.id);
  }
  return { body: type.policy.patch === "merge" ? mergeBody(basis.body, request.body) : request.body, basis };
}

function mergeBody(current: JsonObject, patch: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(patch)) {
    return patch;
  }
  const merged: JsonObject = { ...current, ...patch };
  for (const name of ["tags", "properties"]) {
    if (isJsonObject(patch[name])) {
      merged[name] = { ...objectMember(current, name), ...patch[name] };
    }
  }
  return merged;
}

interface CheckedProperties {
  /** As they would be stored, with the secrets still in their places. */
  readonly completed: JsonObject;
  readonly dropped: readonly string[];
  readonly sent: SplitSecrets;
}

/** @throws ApiError with every problem the schema finds. */
function* checkProperties(
  type: ServedType,
  version: ServedVersion,
  properties: JsonObject,
  secrets: readonly string[],
): Sliced<CheckedProperties> {
  const { schema } = version;
  if (schema === undefined) {
    const completed = yield* copyMembers(properties, serverOwned);
    return { completed, dropped: [], sent: yield* splitSecrets(version, completed, secrets) };
  }
  const shownPath = hideSecretNames(secrets);
  const found = yield* schema.validate(properties);
  const more = type.handler.problems?.({ apiVersion: version.name, properties }) ?? [];
  if (found.length + more.length > 0) {
    const paths = new Set(more.map(({ path }) => path)); // where both speak, the type's own code says it better
    throw invalidBody(
      type,
      [...found.filter(({ path }) => !paths.has(path)), ...more].map(({ path, message }) => ({
        path: shownPath(path),
        message,
      })),
    );
  }
  const known = yield* schema.dropUnknown(yield* schema.stripReadOnly(properties));
  const completed = yield* schema.applyDefaults(known.properties);
  return {
    completed,
    dropped: known.dropped.map((path) => shownPath(`$.${path}`).slice(2)),
    sent: yield* splitSecrets(version, completed, secrets),
  };
}

function* splitSecrets(
  { schema }: ServedVersion,
  properties: JsonObject,
  more: readonly string[],
): Sliced<SplitSecrets> {
  const split = schema === undefined ? { visible: properties, secrets: {} } : yield* schema.splitSecrets(properties);
  return yield* pauseAfter(() => splitMoreSecrets(split, properties, more));
}

/** Those within the properties. @throws ApiError when a tag would have to be sealed, which everybody can read. */
function sealablePointers(pointers: readonly string[], body: JsonValue | undefined, id: ResourceId): string[] {
  const members = isJsonObject(body) ? Object.keys(body) : [];
  const all = pointers.includes("") ? members.map((name) => `/${name}`) : pointers;
  if (all.some((pointer) => `${pointer}/`.startsWith("/tags/"))) {
    throw new ApiError(
      "InvalidTemplate",
      "A tag must not be made of a secret: tags are stored and shown as they are.",
      {
        target: id.toString(),
      },
    );
  }
  return all.filter((pointer) => `${pointer}/`.startsWith("/properties/"));
}

function checkFixedScope(type: ServedType, properties: JsonObject, current: StoredDocument | undefined): void {
  if (!type.policy.fixedScope || current === undefined) {
    return;
  }
  const before = objectMember(current.body, "properties");
  for (const name of ["application", "environment"]) {
    const [was, is] = [before[name], properties[name]];
    if (typeof was === "string" && (typeof is !== "string" || is.toLowerCase() !== was.toLowerCase())) {
      throw new ApiError("BadRequest", `'${name}' is '${was}' and cannot change; create a new resource instead.`, {
        target: current.id,
      });
    }
  }
}
