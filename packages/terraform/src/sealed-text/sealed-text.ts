import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { DocumentChange, DocumentInput, Store } from "@rad/store";

const textType = "System.Terraform/sealedTexts";
const partType = "System.Terraform/sealedTextParts";
const storedVersion = "2025-08-01-preview";

/** Characters of base64 in one document: small enough to be sealed and written without keeping others waiting. */
const partLength = 512 * 1024;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/**
 * The changes that keep a text of any size below `id`: compressed, sealed, in as many documents as it takes. They are to
 * be written in one transaction, so that a reader sees the old text or the new one.
 */
export async function sealText(store: Store, id: string, text: string): Promise<readonly DocumentChange[]> {
  const before = await partCount(store, id);
  const packed = (await compress(text)).toString("base64");
  const parts = Math.max(1, Math.ceil(packed.length / partLength));
  const changes: DocumentChange[] = [
    put({ id, type: textType, apiVersion: storedVersion, body: { parts, revision: randomUUID() }, secrets: {} }),
  ];
  for (let index = 0; index < parts; index += 1) {
    const data = packed.slice(index * partLength, (index + 1) * partLength);
    const body = { index, data: null };
    changes.push(
      put({ id: partId(id, index), type: partType, apiVersion: storedVersion, body, secrets: { "/data": data } }),
    );
  }
  for (let index = parts; index < before; index += 1) {
    changes.push({ kind: "remove", id: partId(id, index), expect: "any" });
  }
  return changes;
}

/** The changes that remove the text below `id`, if there is one. */
export async function removeText(store: Store, id: string): Promise<readonly DocumentChange[]> {
  const parts = await partCount(store, id);
  const ids = [id, ...Array.from({ length: parts }, (_, index) => partId(id, index))];
  return ids.map((removed) => ({ kind: "remove", id: removed, expect: "any" }));
}

/** `undefined` where there is none. A text that is replaced meanwhile is read again. */
export async function readText(store: Store, id: string): Promise<string | undefined> {
  return (await readTextBytes(store, id))?.toString("utf8");
}

/** The same in UTF-8. */
export async function readTextBytes(store: Store, id: string): Promise<Buffer | undefined> {
  for (;;) {
    const found = await store.get(id);
    if (found === undefined) {
      return undefined;
    }
    const pieces: string[] = [];
    for (let index = 0; index < Number(found.body["parts"]); index += 1) {
      const { "/data": data } = await store.secrets(partId(id, index));
      pieces.push(typeof data === "string" ? data : "");
    }
    const again = await store.get(id);
    if (again?.etag === found.etag) {
      return await decompress(Buffer.from(pieces.join(""), "base64"));
    }
  }
}

async function partCount(store: Store, id: string): Promise<number> {
  return Number((await store.get(id))?.body["parts"] ?? 0);
}

function put(input: DocumentInput): DocumentChange {
  return { kind: "put", input, expect: "any" };
}

function partId(id: string, index: number): string {
  return `${id}/parts/${index}`;
}
