import { open, rm, rmdir } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { lockFile, removeLeftovers, writeFileAtomically } from "@rad/artifacts/files";
import { ApiError, Limiter } from "@rad/core";
import { describeObject } from "../check-object.ts";
import type { KubernetesObject, ObjectName } from "../kubernetes-object.ts";
import { nameOf } from "../kubernetes-object.ts";
import { placesOf } from "./file-names.ts";
import type { Manifest } from "./manifest.ts";
import { parseManifest, printManifest } from "./manifest.ts";

export interface FoundManifest extends Manifest {
  /** The whole path, for messages. */
  readonly file: string;
}

/** More than any object that a cluster would take. */
const maxBytes = 8 << 20;
const lockWaitMs = 60_000;

/** Files of manifests below a folder. Several processes may use it at once. */
export class ManifestFiles {
  readonly #root: string;
  /** The lock below is for other processes, and asks again and again; within this one they queue. */
  readonly #turns = new Limiter(1);

  constructor(root: string) {
    this.#root = root;
  }

  /** Does what reads a file and then writes it, while nobody else does. */
  async alone<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return await this.#turns.run(async () => {
      signal.throwIfAborted();
      try {
        using _ = await lockFile(join(this.#root, ".lock"), { waitMs: lockWaitMs, signal });
        return await work();
      } catch (error) {
        throw this.#explain(error);
      }
    });
  }

  /** @throws ApiError `Conflict` that names a file which is not a manifest, or of another object. */
  async find(name: ObjectName): Promise<FoundManifest | undefined> {
    for (const place of placesOf(name)) {
      const found = await this.#read(place);
      if (found !== undefined && isOfGroup(found.object, name.group)) {
        this.#checkPlace(found, name);
        return found;
      }
    }
    return undefined;
  }

  /** Takes the place with the group in its name when the other one belongs to another object. */
  async create(object: KubernetesObject): Promise<void> {
    const [plain, withGroup] = placesOf(nameOf(object));
    const place = (await this.#read(plain)) === undefined ? plain : withGroup;
    await this.write(join(this.#root, place), object);
  }

  async write(file: string, object: KubernetesObject): Promise<void> {
    await removeLeftovers(file);
    await writeFileAtomically(file, printManifest(object), { mode: 0o644 });
  }

  /** Removes the file, and its folder when that is empty then. */
  async remove(file: string): Promise<void> {
    await removeLeftovers(file);
    await rm(file, { force: true });
    try {
      await rmdir(dirname(file));
    } catch (error) {
      if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(systemCode(error) ?? "")) {
        throw error;
      }
    }
  }

  async #read(place: string): Promise<FoundManifest | undefined> {
    const file = join(this.#root, ...place.split("/"));
    const text = await readText(file).catch((error: unknown) => {
      throw this.#explain(error, file);
    });
    if (text === undefined) {
      return undefined;
    }
    try {
      return { file, ...parseManifest(text) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw unusable(file, `cannot be read: ${reason}`, error);
    }
  }

  #checkPlace({ file, object }: FoundManifest, name: ObjectName): void {
    const found = nameOf(object);
    const isSame =
      found.kind.toLowerCase() === name.kind.toLowerCase() &&
      found.name === name.name &&
      (found.namespace ?? "") === (name.namespace ?? "");
    if (!isSame) {
      throw unusable(file, `should hold ${describeObject(name)}, but holds ${describeObject(found)}`);
    }
  }

  #explain(error: unknown, path: string = this.#root + sep): unknown {
    const code = systemCode(error);
    if (error instanceof ApiError || code === undefined) {
      return error;
    }
    if (code === "Locked") {
      return new ApiError(
        "ServiceUnavailable",
        `Another process keeps '${path}' locked. Try again when it has finished.`,
        {
          transient: true,
          cause: error,
        },
      );
    }
    if (["ENOSPC", "EDQUOT", "EROFS"].includes(code)) {
      return new ApiError("InsufficientStorage", `The manifests in '${path}' cannot be written (${code}).`, {
        transient: true,
        cause: error,
      });
    }
    const advice = "Check its permissions, and the folder that the configuration names.";
    return new ApiError("Internal", `The manifests in '${path}' cannot be read or written (${code}). ${advice}`, {
      cause: error,
    });
  }
}

/** `undefined` when there is no such file. */
async function readText(file: string): Promise<string | undefined> {
  try {
    await using handle = await open(file, "r");
    const { size } = await handle.stat();
    if (size > maxBytes) {
      throw unusable(file, `has more than ${maxBytes >> 20} MiB`);
    }
    return await handle.readFile("utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}

function isOfGroup(object: KubernetesObject, group: string): boolean {
  return nameOf(object).group.toLowerCase() === group.toLowerCase();
}

function unusable(file: string, problem: string, cause?: unknown): ApiError {
  const advice = "Restore the file, or delete it and deploy again.";
  return new ApiError("Conflict", `The manifest '${file}' ${problem}. ${advice}`, { cause });
}

function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
