import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { it } from "node:test";
import { silentLogger } from "@rad/core";
import { until } from "@rad/core/testing";
import { openTemporaryStore } from "@rad/store/testing";
import type { TerraformRun } from "../runs/terraform-run.ts";
import { commitFiles, createBareRepository } from "../testing/git-repository.ts";
import { realTerraform } from "../testing/real-binaries.ts";
import { leaseOf, openRuns, temporaryFolder } from "./run-kit.ts";

it("a module goes to the cache whole, also when the results of its run are stored first", async () => {
  await using folder = await temporaryFolder();
  await using store = await openTemporaryStore();
  const runs = openRuns({ store, folder: folder.path });
  const repository = join(folder.path, "repository.git");
  await createBareRepository(repository);
  await commitFiles(repository, { "main.tf": 'output "who" { value = "me" }\n' });
  // Git as it is, but for the look at what was cloned: it waits until it may.
  const bin = join(folder.path, "bin");
  await mkdir(bin);
  const [waiting, released] = [join(bin, "waiting"), join(bin, "released")];
  const script = `case "$1" in --git-dir=*) touch ${waiting}; while ! test -e ${released}; do sleep 0.05; done;; esac`;
  const path = process.env["PATH"] ?? "";
  await writeFile(join(bin, "git"), `#!/bin/sh\n${script}\nPATH=${path} exec git "$@"\n`, { mode: 0o755 });
  const source = `git::file://${repository}`;
  const open = async (): Promise<TerraformRun> => {
    const run = await runs.open({
      runId: randomUUID(),
      resourceId: "/planes/radius/local/resourceGroups/g/providers/Example.Stores/buckets/kept",
      state: { backend: "http", name: "kept" },
      purpose: "deploy",
      binary: leaseOf(await realTerraform()),
      files: { "main.tf.json": JSON.stringify({ module: { default: { source } } }) },
      env: { PATH: `${bin}:${path}` },
      secrets: [],
      signal: new AbortController().signal,
      onEvent: () => {},
      log: silentLogger,
    });
    await run.getByInit({ source }, () => {});
    return run;
  };

  const first = await open();
  await until("the module is about to be kept", async () => await stat(waiting).catch(() => undefined));
  const settled = first.settle();
  await Promise.race([settled, setTimeout(1_000)]); // as long as a removal of the folder takes at most
  await writeFile(released, "");
  await settled;
  await first[Symbol.asyncDispose]();

  await using second = await open();
  assert.deepEqual(await readdir(join(second.folder, ".terraform/modules/default")), ["main.tf"], "without '.git'");
});
