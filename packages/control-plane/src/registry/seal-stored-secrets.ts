import { type Clock, inSlices, type JsonObject, type Logger, objectMember } from "@rad/core";
import { compileSchema, type Manifest, type ResourceSchema } from "@rad/resource-types";
import { listAll, type Store, type StoredDocument, StoreError } from "@rad/store";
import { isDeepStrictEqual } from "node:util";
import { systemApiVersion, systemRecords } from "@rad/resources";
import { sensitiveMembers } from "./sensitive-members.ts";

export interface SealOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** The built-in types. */
  readonly manifests: readonly Manifest[];
  /** Nothing was stored before this start. */
  readonly isNew: boolean;
  /** Called before every stored document of some types is looked at, which may take long. */
  readonly onUpgrade?: (() => void) | undefined;
}

/** Outside of every plane, so that it is in nobody's way: which members of built-in types are known to be sealed. */
const markerId = "/system/sealedMembers";
const markerType = "System.Radius/sealedMembers";
const maxTries = 10;

/**
 * Seals what was stored in clear before a built-in type's schema marked it as sensitive. Runs to its end once per set
 * of marks: a marker in the store says which are done, and is written last, so that a start that was killed is made
 * good by the next. Each document is rewritten under its etag, so several processes may do this at once. Call it after
 * the schemas are registered: from then on no process, also none of an older version, stores such a value in clear,
 * because writes are guarded by the etag of the registration they rely on.
 */
export async function sealStoredSecrets(options: SealOptions): Promise<void> {
  const { store, log, isNew, onUpgrade } = options;
  const types = sensitiveTypes(options);
  const marks: JsonObject = Object.fromEntries(types.map(({ key, marks }) => [key, marks]));
  const marker = await store.get(markerId);
  const done = marker === undefined ? {} : objectMember(marker.body, "properties");
  if (isDeepStrictEqual(done, marks)) {
    return;
  }
  if (!isNew) {
    onUpgrade?.();
    let sealed = 0;
    for (const type of types.filter(({ key, marks }) => !isDeepStrictEqual(done[key], marks))) {
      sealed += await sealType(type, options);
    }
    // Also when nothing had to be rewritten: an earlier start may have been killed here, and resources that were
    // deleted have left their text behind too.
    const erased = await store.eraseReplaced();
    log.info("secrets of built-in types are sealed", { documents: sealed, erased });
  }
  const body: JsonObject = { id: markerId, name: "sealedMembers", type: markerType, properties: marks };
  const input = { id: markerId, type: markerType, apiVersion: systemApiVersion, body, secrets: {} };
  await store.write({ document: { kind: "put", input, expect: "any" } });
}

interface SensitiveType {
  readonly key: string;
  readonly name: string;
  readonly version: string;
  readonly schema: JsonObject;
  readonly marks: string[];
}

function sensitiveTypes({ manifests }: SealOptions): SensitiveType[] {
  return manifests.flatMap(({ namespace, types }) =>
    types.flatMap((type) =>
      type.apiVersions.flatMap(({ name: version, schema }) => {
        const name = `${namespace}/${type.name}`;
        const marks = sensitiveMembers(schema);
        return marks.length === 0 ? [] : [{ key: `${name}@${version}`, name, version, schema, marks }];
      }),
    ),
  );
}

/** @returns the number of documents that were rewritten. */
async function sealType({ name, version, schema }: SensitiveType, options: SealOptions): Promise<number> {
  const { store } = options;
  const compiled = compileSchema(schema);
  let sealed = 0;
  for await (const document of listAll((query) => store.list(query), { type: name, under: "/planes" })) {
    if (document.apiVersion === version) {
      sealed += (await sealDocument(document, compiled, options)) ? 1 : 0;
    }
  }
  return sealed;
}

async function sealDocument(
  listed: StoredDocument,
  schema: ResourceSchema,
  { store, clock }: SealOptions,
): Promise<boolean> {
  let document: StoredDocument | undefined = listed;
  for (let tries = 1; document !== undefined; tries += 1) {
    const { id, type, apiVersion, operationId, etag } = document;
    const body = await document.parsed();
    const { visible, secrets } = await inSlices(schema.splitSecrets(objectMember(body, "properties")));
    if (Object.keys(secrets).length === 0) {
      return false;
    }
    const all = { ...(await store.secrets(id)), ...secrets };
    const input = { id, type, apiVersion, body: { ...body, properties: visible }, secrets: all, operationId };
    try {
      await store.write({
        document: { kind: "put", input, expect: { etag } },
        audit: systemRecords({ type, target: id, apiVersion, clock }),
      });
      return true;
    } catch (error) {
      if (!(error instanceof StoreError && error.code === "EtagMismatch") || tries === maxTries) {
        throw error;
      }
      document = await store.get(id); // a concurrent change, perhaps by another process that seals too
    }
  }
  return false;
}
