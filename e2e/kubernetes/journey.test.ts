import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { findInFiles } from "@rad/control-plane/testing";
import type { JsonObject } from "@rad/core";
import assert from "node:assert/strict";
import { parse } from "yaml";
import { describeJourney, type JourneyPlace } from "./describe-journey.ts";
import { describeSharedObjects } from "./describe-shared-objects.ts";

describeJourney("manifests folder", openFolder);
describeSharedObjects("manifests folder", openFolder);

async function openFolder(): Promise<JourneyPlace> {
  const manifests = await mkdtemp(path.join(tmpdir(), "manifests-"));
  return {
    kubernetes: { manifests },
    namespace: "journey",
    objects: async (namespace) => {
      const files = (await readdir(manifests, { recursive: true })).filter((file) => file.startsWith(`${namespace}/`));
      const objects = await Promise.all(files.map((file) => readObject(path.join(manifests, file))));
      return objects.map(({ kind, metadata }) => `${String(kind)}/${metadata.name}`).toSorted();
    },
    read: async (kind, namespace, name) =>
      await readObject(path.join(manifests, namespace, `${kind.toLowerCase()}-${name}.yaml`)),
    check: async () => {
      assert.deepEqual(await findInFiles(manifests, "canary"), []);
      assert.deepEqual((await readdir(manifests)).toSorted(), [".lock", "_cluster"]);
    },
    [Symbol.asyncDispose]: () => rm(manifests, { recursive: true, force: true }),
  };
}

async function readObject(file: string): Promise<JsonObject & { readonly metadata: { readonly name: string } }> {
  return parse(await readFile(file, "utf8"));
}
