import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import type { PackageType } from "@rad/resource-types/bicep";
import { systemCode } from "../cli-error.ts";

/** The types that a control plane had registered when it was last asked. */
export interface CachedTypes {
  readonly types: readonly PackageType[];
  /** Of the list; control planes that have none are asked for the whole list each time. */
  readonly etag: string | undefined;
  readonly confirmedAt: Date;
}

/** Keeps the registered types of control planes on the disk, a file for each. */
export interface TypeCache {
  /** @throws TypeCacheError when there is a file and it is of no use. */
  read(endpoint: string): Promise<CachedTypes | undefined>;
  /** @throws TypeCacheError when it cannot be written. */
  write(endpoint: string, types: readonly PackageType[], etag: string | undefined): Promise<void>;
  /** Remembers that what is kept is what the control plane has now. */
  confirm(endpoint: string): Promise<void>;
}

/** Why the cache cannot help. Nothing depends on it, so this ends up as a warning. */
export class TypeCacheError extends Error {
  override readonly name = "TypeCacheError";
}

/** A control plane has at most a few MB of schemas; more would slow every compilation down. */
const maxBytes = 32 * 1024 * 1024;
const maxControlPlanes = 20;
const formatVersion = 1;

/** The cache beside a configuration file. */
export function openTypeCache(configPath: string): TypeCache {
  const folder = join(dirname(configPath), "cache", "types");
  const fileOf = (endpoint: string) => join(folder, `${createHash("sha256").update(endpoint).digest("hex")}.json`);
  return {
    read: async (endpoint) => {
      const file = fileOf(endpoint);
      try {
        const { mtime, size } = await stat(file);
        if (size > maxBytes) {
          throw new TypeCacheError(`${file} is larger than ${maxBytes} bytes`);
        }
        return { ...parse(await readFile(file, "utf8"), file, endpoint), confirmedAt: mtime };
      } catch (error) {
        if (systemCode(error) === "ENOENT") {
          return undefined;
        }
        throw error instanceof TypeCacheError
          ? error
          : new TypeCacheError(`${file} cannot be read (${reasonOf(error)})`);
      }
    },
    write: async (endpoint, types, etag) => {
      const file = fileOf(endpoint);
      const content = JSON.stringify({ formatVersion, endpoint, etag, types });
      if (Buffer.byteLength(content) > maxBytes) {
        throw new TypeCacheError(`they are larger than ${maxBytes} bytes`);
      }
      const { writeFileAtomically } = await import("@rad/artifacts/files");
      try {
        await writeFileAtomically(file, content, { mode: 0o600 });
        await dropOldest(folder);
      } catch (error) {
        throw new TypeCacheError(`${file} cannot be written (${reasonOf(error)})`);
      }
    },
    confirm: async (endpoint) => {
      const now = new Date();
      await utimes(fileOf(endpoint), now, now).catch(() => undefined); // an older time does no harm
    },
  };
}

function parse(text: string, file: string, endpoint: string): Omit<CachedTypes, "confirmedAt"> {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    throw new TypeCacheError(`${file} is not JSON`);
  }
  const { formatVersion: version, endpoint: owner, etag, types } = isJsonObject(value) ? value : {};
  if (version !== formatVersion || owner !== endpoint || !Array.isArray(types)) {
    throw new TypeCacheError(`${file} does not hold the types of ${endpoint}`);
  }
  return { types: types.map((type) => readType(type, file)), etag: typeof etag === "string" ? etag : undefined };
}

function readType(type: JsonValue, file: string): PackageType {
  const { name, versions } = isJsonObject(type) ? type : {};
  if (typeof name !== "string" || !isJsonObject(versions) || !Object.values(versions).every(isJsonObject)) {
    throw new TypeCacheError(`${file} holds something that is no resource type`);
  }
  return { name, versions: versions as Readonly<Record<string, JsonObject>> };
}

async function dropOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  if (names.length <= maxControlPlanes) {
    return;
  }
  const files = await Promise.all(
    names.map(async (name) => ({ file: join(folder, name), time: (await stat(join(folder, name))).mtimeMs })),
  );
  for (const { file } of files.sort((a, b) => b.time - a.time).slice(maxControlPlanes)) {
    await rm(file, { force: true });
  }
}

function reasonOf(error: unknown): string {
  return systemCode(error) ?? "unknown reason";
}
