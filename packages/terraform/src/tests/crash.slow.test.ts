import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { CrashOrder } from "./crash-process.ts";
import { ca, startMirror } from "./mirror.ts";
import type { Mirror } from "./mirror.ts";
import { standIn } from "./stand-in.ts";
import { install, testFolder, testVolume } from "./volume-kit.ts";
import type { TestFolder } from "./volume-kit.ts";

const crashProcess = fileURLToPath(new URL("crash-process.ts", import.meta.url));
const atOnce = 2;

let mirror: Mirror;
/** With version 1.0.0 active in its root. */
let prepared: TestFolder;

before(async () => {
  mirror = await startMirror();
  mirror.files.set("/first", standIn("1.0.0"));
  mirror.files.set("/replace", `${standIn("1.0.0")}# another build\n`);
  mirror.files.set("/upgrade", standIn("2.0.0"));
  prepared = await testFolder();
  const volume = testVolume(prepared.root);
  await volume.activate(await install(volume, { url: `${mirror.url}/first` }));
});
after(async () => {
  await mirror[Symbol.asyncDispose]();
  await prepared[Symbol.asyncDispose]();
});

const scenarios: readonly (readonly [CrashOrder["scenario"], what: string, leastChanges: number])[] = [
  ["replace", "the active version is replaced by another build", 10],
  ["upgrade", "another version is installed and activated", 10],
  ["uninstall", "the active version is uninstalled", 5],
];
for (const [scenario, what, leastChanges] of scenarios) {
  test(`killed before any change of the volume while ${what}: a working binary or none, and no leftovers`, async () => {
    let kills = 0;
    for (let isOver = false; !isOver;) {
      const runs = Array.from({ length: atOnce }, (_, index) => crashAt(scenario, kills + index));
      const killed = (await Promise.all(runs)).filter(Boolean).length;
      kills += killed;
      isOver = killed < atOnce;
    }

    assert.ok(kills >= leastChanges, `only ${kills} changes`);
  });
}

/** @returns whether there was such a change to be killed at */
async function crashAt(scenario: CrashOrder["scenario"], killAt: number): Promise<boolean> {
  await using folder = await testFolder();
  const { root } = folder;
  await cp(prepared.root, root, { recursive: true, verbatimSymlinks: true });
  const where = `${scenario} ${killAt}`;

  const order: CrashOrder = { scenario, root, caBundle: ca.cert, url: `${mirror.url}/${scenario}`, killAt };
  const child = spawn(process.execPath, [crashProcess, JSON.stringify(order)], { stdio: "inherit" });
  await once(child, "close");
  assert.ok(child.exitCode === 0 || child.signalCode === "SIGKILL", `${where}: exit code ${child.exitCode}`);

  // What a reader finds, before anybody repairs anything.
  const active = await readlink(join(root, "current")).catch(() => undefined);
  assert.ok(active !== undefined || scenario === "uninstall", `${where}: nothing is active`);
  if (active !== undefined) {
    const { stdout } = await promisify(execFile)(join(root, "current"), ["version"]);
    assert.match(stdout, child.exitCode === 0 ? finalVersion(scenario) : /^Terraform v[12]\.0\.0$/m);
  }

  const volume = testVolume(root);
  await volume.repair();
  for (const binary of await volume.list()) {
    assert.equal(await volume.isHealthy(binary), true, `${where}: ${binary.version}`);
  }
  assert.deepEqual(await readdir(join(root, ".temporary")), [], where);
  assert.deepEqual(
    (await readdir(root)).filter((name) => !/^(?:\.temporary|current|previous|[12]\.0\.0)$/.test(name)),
    [],
    where,
  );
  await volume.activate(await install(volume, { url: `${mirror.url}/upgrade` }));
  assert.equal((await volume.current())?.version, "2.0.0", where);
  return child.signalCode === "SIGKILL";
}

function finalVersion(scenario: CrashOrder["scenario"]): RegExp {
  return scenario === "upgrade" ? /^Terraform v2\.0\.0$/m : /^Terraform v1\.0\.0$/m;
}
