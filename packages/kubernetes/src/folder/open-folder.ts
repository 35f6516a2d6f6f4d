import { resolve } from "node:path";
import { ApiError, atOnce, sameJson } from "@rad/core";
import { checkName, checkObject, describeObject } from "../check-object.ts";
import type { KubernetesObject, ObjectName } from "../kubernetes-object.ts";
import { namespaceObject } from "../namespace-object.ts";
import type { Applied, CallOptions, ObjectTarget, Preview, ReadyOptions } from "../object-target.ts";
import { keptOf } from "./manifest.ts";
import { ManifestFiles } from "./manifest-files.ts";
import type { FoundManifest } from "./manifest-files.ts";

/**
 * A folder with one YAML file per object, for use without a cluster and for review. It is made when the first object
 * comes. The values of Secrets are not kept, so a change of a value alone is none.
 */
export function openFolder(path: string): ObjectTarget & AsyncDisposable {
  return new FolderTarget(resolve(path));
}

class FolderTarget implements ObjectTarget, AsyncDisposable {
  readonly kind = "folder";
  readonly description: string;
  readonly #files: ManifestFiles;

  constructor(root: string) {
    this.description = `the folder '${root}'`;
    this.#files = new ManifestFiles(root);
  }

  async apply(object: KubernetesObject, { signal }: CallOptions): Promise<Applied> {
    const name = checkObject(object);
    const kept = keptOf(object);
    return await this.#files.alone(signal, async () => {
      const found = await this.#files.find(name);
      const change = changeOf(found, kept);
      if (change !== "unchanged") {
        await this.#ensureNamespace(name);
        await (found === undefined ? this.#files.create(kept) : this.#files.write(found.file, kept));
      }
      return { change, object: kept };
    });
  }

  async preview(object: KubernetesObject, { signal }: CallOptions): Promise<Preview> {
    signal.throwIfAborted();
    const name = checkObject(object);
    const after = keptOf(object);
    const found = await this.#files.find(name);
    return { change: changeOf(found, after), before: found?.object, after };
  }

  async read(name: ObjectName, { signal }: CallOptions): Promise<KubernetesObject | undefined> {
    signal.throwIfAborted();
    checkName(name);
    return (await this.#files.find(name))?.object;
  }

  async delete(name: ObjectName, { signal }: CallOptions): Promise<void> {
    signal.throwIfAborted();
    checkName(name);
    // A folder that is not there is not made to find nothing in it.
    if ((await this.#files.find(name)) === undefined) {
      return;
    }
    await this.#files.alone(signal, async () => {
      const found = await this.#files.find(name);
      if (found !== undefined) {
        await this.#files.remove(found.file);
      }
    });
  }

  async ready(object: KubernetesObject, { signal }: ReadyOptions): Promise<KubernetesObject> {
    signal.throwIfAborted();
    checkObject(object);
    return await Promise.resolve(keptOf(object));
  }

  async serves(_group: string, _kind: string, { signal }: CallOptions): Promise<boolean> {
    signal.throwIfAborted();
    return await Promise.resolve(true);
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** A cluster gets the namespace before the first object in it, too; without it nobody could apply the folder. */
  async #ensureNamespace({ namespace }: ObjectName): Promise<void> {
    if (namespace === undefined) {
      return;
    }
    const object = namespaceObject(namespace);
    if ((await this.#files.find(checkObject(object))) === undefined) {
      await this.#files.create(keptOf(object));
    }
  }
}

/** @throws ApiError `Conflict` for a file that is not as Radius left it: no edit is overwritten. */
function changeOf(found: FoundManifest | undefined, wanted: KubernetesObject): Applied["change"] {
  if (found === undefined) {
    return "created";
  }
  if (atOnce(sameJson(found.object, wanted))) {
    return "unchanged";
  }
  if (found.isForeign) {
    throw new ApiError(
      "Conflict",
      `The manifest '${found.file}' has been changed by hand, and ${describeObject(checkObject(wanted))} would overwrite ` +
        "it. Undo the edit, or delete the file, and deploy again.",
    );
  }
  return "changed";
}
