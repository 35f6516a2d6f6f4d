import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import {
  ApiError,
  type Clock,
  inSlices,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Logger,
  mainThread,
  readOwnJson,
} from "@rad/core";
import { type DocumentChange, type Store, StoreError } from "@rad/store";
import { readTextBytes, removeText, sealText } from "../sealed-text/sealed-text.ts";
import type { RunRecord } from "../runs/records/run-record.ts";
import { headerInput, headerOf, isSaved, stateId, stateTextId, type StateHeader } from "./http-states.ts";
import { runOf } from "./state-access.ts";
import type { StateReaders } from "../runs/state-readers.ts";

export interface StateBackendDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly readers: StateReaders;
}

/** A request of Terraform's http backend. */
export interface StateRequest {
  readonly method: string;
  /** Name of the state. */
  readonly name: string;
  readonly authorization: string | undefined;
  /** The lock that the writer holds: the parameter `ID`. */
  readonly lockId: string | undefined;
  readonly contentMd5: string | undefined;
  body(): Promise<Uint8Array>;
}

export interface StateAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Found {
  readonly header: StateHeader | undefined;
  readonly etag: string | undefined;
}

/**
 * Terraform's http backend. One run at most is on record for a state, so a lock that another run holds was left by one
 * that is dead: it goes over to whoever asks. A writer that lost its lock is refused.
 */
export class StateBackend {
  readonly #deps: StateBackendDeps;

  constructor(deps: StateBackendDeps) {
    this.#deps = deps;
  }

  /** @throws ApiError */
  async handle(request: StateRequest): Promise<StateAnswer> {
    if (request.method === "GET" && this.#deps.readers.mayRead(request.authorization, request.name)) {
      return await this.#get(request.name);
    }
    const run = await runOf(this.#deps.store, request.authorization, request.name);
    switch (request.method) {
      case "GET":
        return await this.#get(request.name);
      case "POST":
        return await this.#post(request, run);
      case "DELETE":
        return await this.#delete(request);
      case "LOCK":
        return await this.#lock(request, run);
      case "UNLOCK":
        return await this.#unlock(request);
      default:
        throw new ApiError("BadRequest", `Terraform states know no method ${request.method}.`, { status: 405 });
    }
  }

  async #get(name: string): Promise<StateAnswer> {
    const { store } = this.#deps;
    const bytes = isSaved(await store.get(stateId(name))) ? await readTextBytes(store, stateTextId(name)) : undefined;
    if (bytes === undefined) {
      return { status: 404 };
    }
    const md5 = (await digestOf("md5", bytes)).toString("base64");
    const headers = { "Content-Type": "application/json", "Content-MD5": md5 };
    return { status: 200, headers, body: bytes.toString("utf8") };
  }

  async #post(request: StateRequest, run: RunRecord): Promise<StateAnswer> {
    const { store, clock } = this.#deps;
    const { name, lockId } = request;
    const bytes = await request.body();
    await requireMd5(bytes, request.contentMd5);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
    const { lineage, serial } = await versionOf(text);
    const sha256 = (await digestOf("sha256", bytes)).toString("hex");
    const parts = await sealText(store, stateTextId(name), text);
    return await this.#change(name, ({ header }) => {
      requireLock(header, lockId);
      if (header !== undefined && header.lineage !== "") {
        if (header.sha256 === sha256) {
          return { status: 200 };
        }
        requireNewer(header, { lineage, serial });
      }
      const updatedAt = clock.now().toISOString();
      const saved: StateHeader = {
        resourceId: run.resourceId,
        lineage,
        serial,
        bytes: bytes.byteLength,
        sha256,
        updatedAt,
        lock: header?.lock,
      };
      return { status: 200, header: saved, also: parts };
    });
  }

  async #delete({ name, lockId }: StateRequest): Promise<StateAnswer> {
    const { store } = this.#deps;
    const found = await store.get(stateId(name));
    requireLock(found === undefined ? undefined : headerOf(found), lockId);
    await store.write({
      document: { kind: "remove", id: stateId(name), expect: found === undefined ? "any" : { etag: found.etag } },
      also: await removeText(store, stateTextId(name)),
    });
    return { status: 200 };
  }

  async #lock(request: StateRequest, run: RunRecord): Promise<StateAnswer> {
    const { log } = this.#deps;
    const info = await lockInfoOf(request);
    const id = typeof info["ID"] === "string" ? info["ID"] : "";
    if (id === "") {
      throw new ApiError("BadRequest", "A lock needs an ID.");
    }
    return await this.#change(request.name, ({ header }) => {
      const { lock } = header ?? {};
      if (lock !== undefined && lock.id !== id) {
        log.warn("a lock that a dead Terraform run left goes over to the next", {
          resourceId: run.resourceId,
          runId: lock.runId,
          to: run.runId,
        });
      }
      const base = header ?? {
        resourceId: run.resourceId,
        lineage: "",
        serial: 0,
        bytes: 0,
        sha256: "",
        updatedAt: "",
      };
      return { status: 200, header: { ...base, lock: { id, runId: run.runId, info } } };
    });
  }

  async #unlock(request: StateRequest): Promise<StateAnswer> {
    const info = await lockInfoOf(request);
    const id = info["ID"];
    return await this.#change(request.name, ({ header }) => {
      if (header?.lock === undefined) {
        return { status: 200 };
      }
      if (id !== undefined && id !== header.lock.id) {
        throw new ApiError("Conflict", "The state is locked by another run.");
      }
      return { status: 200, header: { ...header, lock: undefined } };
    });
  }

  /** Decides on the state as it is, and stores that in one transaction; decides again when another change came first. */
  async #change(
    name: string,
    decide: (found: Found) => { status: number; header?: StateHeader; also?: readonly DocumentChange[] },
  ): Promise<StateAnswer> {
    const { store } = this.#deps;
    for (;;) {
      const found = await store.get(stateId(name));
      const {
        status,
        header,
        also = [],
      } = decide({
        header: found === undefined ? undefined : headerOf(found),
        etag: found?.etag,
      });
      if (header === undefined) {
        return { status };
      }
      try {
        const expect = found === undefined ? "absent" : { etag: found.etag };
        await store.write({ document: { kind: "put", input: headerInput(name, header), expect }, also });
        return { status };
      } catch (error) {
        if (!(error instanceof StoreError && error.code === "EtagMismatch")) {
          throw error;
        }
      }
    }
  }
}

function requireLock(header: StateHeader | undefined, lockId: string | undefined): void {
  const { lock } = header ?? {};
  if (lock !== undefined && lock.id !== (lockId ?? "")) {
    throw new ApiError("Conflict", "The state is locked by another run.");
  }
}

function requireNewer(stored: StateHeader, { lineage, serial }: { lineage: string; serial: number }): void {
  if (lineage !== stored.lineage) {
    throw new ApiError("Conflict", "This is the state of something else: its lineage is not that of the stored state.");
  }
  if (serial <= stored.serial) {
    throw new ApiError(
      "Conflict",
      `The stored state is newer: its serial is ${stored.serial}, not less than ${serial}.`,
    );
  }
}

async function requireMd5(bytes: Uint8Array, md5: string | undefined): Promise<void> {
  if (md5 !== undefined && md5 !== (await digestOf("md5", bytes)).toString("base64")) {
    throw new ApiError("BadRequest", "The state is damaged: it has not the MD5 that the request says.");
  }
}

/** In pieces, each of which takes a few milliseconds: a state may have a hundred megabytes. */
const pieceBytes = 1 << 20;

async function digestOf(algorithm: "md5" | "sha256", bytes: Uint8Array): Promise<Buffer> {
  const hash = createHash(algorithm);
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
    hash.update(bytes.subarray(at, at + pieceBytes));
    await mainThread.giveWay();
  }
  return hash.digest();
}

async function versionOf(text: string): Promise<{ readonly lineage: string; readonly serial: number }> {
  const state = await parse(text);
  const { lineage, serial } = isJsonObject(state) ? state : {};
  if (typeof lineage !== "string" || lineage === "" || typeof serial !== "number") {
    throw new ApiError("BadRequest", "This is not a Terraform state: it needs a lineage and a serial.");
  }
  return { lineage, serial };
}

async function lockInfoOf(request: StateRequest): Promise<JsonObject> {
  const text = Buffer.from(await request.body()).toString("utf8");
  if (text.trim() === "") {
    return {};
  }
  const info = await parse(text);
  if (!isJsonObject(info)) {
    throw new ApiError("BadRequest", "A lock is described by a JSON object.");
  }
  return info;
}

async function parse(text: string): Promise<JsonValue> {
  try {
    return await inSlices(readOwnJson(text));
  } catch (error) {
    throw new ApiError("BadRequest", "The body is not JSON.", { cause: error });
  }
}
