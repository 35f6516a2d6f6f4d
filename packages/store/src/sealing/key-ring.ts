import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { type JsonObject, type JsonValue, Pace, printJson, readOwnJson, type Sliced } from "@rad/core";
import { StoreError } from "../store.ts";

/** The keys that seal secret values. The first seals; all of them open. */
export interface KeyRingSource {
  readonly keys: readonly SealingKey[];
}

export interface SealingKey {
  /** Letters, digits, `-` and `_`; stored beside every value that the key seals. */
  readonly id: string;
  /** 32 bytes. */
  readonly secret: Uint8Array;
}

const algorithm = "aes-256-gcm";
/** One envelope for all values of a document. */
const format = "v2";
/** One for each value; written until there were documents with a hundred thousand of them. */
const singleFormat = "v1";
const nonceBytes = 12;
const tagBytes = 16;
/** To open one takes about so long. */
const microsecondsPerEnvelope = 20;
const checkPlace = "\nkey-check";

/**
 * Seals values with AES-256-GCM. An envelope is text, `v2.<key id>.<nonce>.<ciphertext and tag>`, and is bound to the
 * document; the values' places in it are sealed with them. Moved elsewhere it does not open.
 */
export class KeyRing {
  readonly currentId: string;
  readonly #keys = new Map<string, KeyObject>();
  #random: Buffer = Buffer.alloc(0);

  /** @throws StoreError `CannotOpen` when the ring is empty or a key malformed. */
  constructor(source: KeyRingSource) {
    const [current] = source.keys;
    if (current === undefined) {
      throw new StoreError("CannotOpen", "No key to seal secrets with was given.");
    }
    this.currentId = current.id;
    for (const { id, secret } of source.keys) {
      if (!/^[\w-]{1,64}$/.test(id)) {
        throw new StoreError("CannotOpen", "A sealing key's id must be 1 to 64 letters, digits, '-' or '_'.");
      }
      if (secret.length !== 32) {
        throw new StoreError("CannotOpen", `Sealing key '${id}' has ${secret.length} bytes; it must have 32.`);
      }
      if (this.#keys.has(id)) {
        throw new StoreError("CannotOpen", `Two sealing keys have the id '${id}'.`);
      }
      this.#keys.set(id, createSecretKey(secret));
    }
  }

  get ids(): readonly string[] {
    return [...this.#keys.keys()];
  }

  /** All of a document's secrets as one text, or `null` when there are none. */
  *seal(documentKey: string, secrets: Readonly<Record<string, JsonValue>>): Sliced<string | null> {
    const text = yield* printJson(secrets);
    return text === "{}" ? null : this.#sealText(format, this.currentId, documentPlace(documentKey), text);
  }

  /** @throws StoreError `CannotOpen` */
  *open(documentKey: string, sealed: string): Sliced<Readonly<Record<string, JsonValue>>> {
    if (sealed.startsWith("{")) {
      return yield* this.#openSingly(documentKey, sealed);
    }
    const text = this.#openText(format, documentPlace(documentKey), sealed);
    return (yield* readOwnJson(text)) as JsonObject;
  }

  /** What was sealed value by value: envelopes by pointer. */
  *#openSingly(documentKey: string, sealed: string): Sliced<Readonly<Record<string, JsonValue>>> {
    const pace = new Pace();
    const envelopes = (yield* readOwnJson(sealed)) as Record<string, string>;
    const secrets: Record<string, JsonValue> = {};
    for (const pointer of Object.keys(envelopes)) {
      const text = this.#openText(singleFormat, `${documentKey}\n${pointer}`, envelopes[pointer] ?? "");
      secrets[pointer] = JSON.parse(text) as JsonValue;
      const pause = pace.spend(microsecondsPerEnvelope);
      if (pause !== undefined) {
        yield pause;
      }
    }
    return secrets;
  }

  /** Stored in the database beside the key's id, to tell later whether somebody has the same key. */
  makeCheck(keyId: string): string {
    return this.#sealText(singleFormat, keyId, checkPlace, keyId);
  }

  /** @throws StoreError `CannotOpen` when the key of that id is not the one that made the check. */
  verifyCheck(keyId: string, check: string): void {
    let text: string;
    try {
      text = this.#openText(singleFormat, checkPlace, check);
    } catch (cause) {
      throw new StoreError("CannotOpen", `Sealing key '${keyId}' is not the key this database was sealed with.`, {
        cause,
      });
    }
    if (text !== keyId) {
      throw new StoreError("CannotOpen", `The check value of sealing key '${keyId}' belongs to another key.`);
    }
  }

  #sealText(version: string, keyId: string, place: string, text: string): string {
    const nonce = this.#nonce();
    const cipher = createCipheriv(algorithm, this.#key(keyId), nonce);
    cipher.setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return [version, keyId, nonce.toString("base64url"), sealed.toString("base64url")].join(".");
  }

  #openText(expected: string, place: string, envelope: string): string {
    const [version, keyId = "", nonce = "", sealed = ""] = envelope.split(".");
    if (version !== expected) {
      throw new StoreError("CannotOpen", "A sealed value has an unknown format.");
    }
    const bytes = Buffer.from(sealed, "base64url");
    try {
      const decipher = createDecipheriv(algorithm, this.#key(keyId), Buffer.from(nonce, "base64url"), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(place));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      return decipher.update(bytes.subarray(0, -tagBytes), undefined, "utf8") + decipher.final("utf8");
    } catch (cause) {
      if (cause instanceof StoreError) {
        throw cause;
      }
      throw new StoreError("CannotOpen", `A value sealed with key '${keyId}' does not open in its place.`, { cause });
    }
  }

  /** Random bytes are asked for in bulk: each time costs as much as sealing a small value. */
  #nonce(): Buffer {
    if (this.#random.length < nonceBytes) {
      this.#random = randomBytes(nonceBytes * 256);
    }
    const nonce = this.#random.subarray(0, nonceBytes);
    this.#random = this.#random.subarray(nonceBytes);
    return nonce;
  }

  #key(id: string): KeyObject {
    const key = this.#keys.get(id);
    if (key === undefined) {
      throw new StoreError("CannotOpen", `Sealing key '${id}' is needed and was not given.`);
    }
    return key;
  }
}

/** No place of a single value is written like this: those begin with the document's key, a slash. */
function documentPlace(documentKey: string): string {
  return `${format}\n${documentKey}`;
}
