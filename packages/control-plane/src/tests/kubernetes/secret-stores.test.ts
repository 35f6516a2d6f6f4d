import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openObjectTarget } from "@rad/kubernetes";
import { describeSecretStores } from "../support/describe-secret-stores.ts";

describeSecretStores("folder", async () => {
  const path = await mkdtemp(join(tmpdir(), "radius-manifests-"));
  const target = await openObjectTarget({ kind: "folder", path });
  return {
    target,
    make: (secret) => target.apply(secret, { signal: AbortSignal.timeout(60_000) }),
    kubernetes: { manifests: path },
    own: (name) => name,
    folder: path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
});
