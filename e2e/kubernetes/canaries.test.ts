import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describeCanaries } from "./canaries.ts";

describeCanaries("manifests folder", async () => {
  const manifests = await mkdtemp(path.join(tmpdir(), "manifests-"));
  return {
    kubernetes: { manifests },
    namespace: "canaries",
    folder: manifests,
    others: async (namespace) => {
      const folder = path.join(manifests, namespace);
      const files = await readdir(folder);
      return (await Promise.all(files.map((file) => readFile(path.join(folder, file), "utf8")))).join("\n");
    },
    secretValues: async () => undefined,
    [Symbol.asyncDispose]: () => rm(manifests, { recursive: true, force: true }),
  };
});
