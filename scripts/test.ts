// `npm test`: the checks, then every test. `--fast` leaves out the checks, the journeys in e2e/ and `*.slow.test.ts`;
// other arguments are globs of test files to run instead of all.
import { globSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { check } from "./check.ts";
import { anyImports } from "./imports/any-imports.ts";

const everything = [
  "packages/*/src/**/*.test.ts",
  "scripts/**/*.test.{mjs,ts}",
  "docs/**/*.test.ts",
  "e2e/**/*.test.ts",
];

/** Tests that reach this file want the run's cluster. */
const testCluster = "packages/kubernetes/src/testing/shared-test-cluster.ts";

/** Tests that reach one of these files use real programs, of which some are built. */
const tools: Readonly<Record<string, () => Promise<unknown>>> = {
  "packages/terraform/src/testing/real-binaries.ts": async () => {
    const { olderTerraform, realOpenTofu, realTerraform } = await import("@rad/terraform/testing/real-binaries");
    return [await realTerraform(), await olderTerraform(), await realOpenTofu()];
  },
  "packages/terraform/src/testing/providers.ts": async () => {
    const { buildProviders } = await import("@rad/terraform/testing/providers");
    await buildProviders();
  },
  "packages/terraform/src/testing/storage.ts": async () => {
    const { makeStorageServers } = await import("@rad/terraform/testing/storage");
    await makeStorageServers();
  },
};

/** A test that hangs is a failure, and so is a file that does not end, instead of an endless run. */
const limits = { fast: { testMs: 60_000, fileMinutes: 2 }, full: { testMs: 300_000, fileMinutes: 10 } };

const args = process.argv.slice(2);
const fast = args.includes("--fast");
const globs = args.filter((arg) => !arg.startsWith("--"));
const checked = fast || globs.length > 0 || check();
const tested = await runTests(globs.length > 0 ? globs : everything, fast);
if (!checked || !tested) {
  process.exitCode = 1;
}

async function runTests(patterns: readonly string[], fast: boolean): Promise<boolean> {
  const files = globSync(patterns)
    .filter((file) => !fast || !isSlow(file))
    .sort(slowFirst);
  if (files.length === 0) {
    process.stderr.write(`No test file matches ${patterns.join(", ")}\n`);
    return false;
  }
  // Tests put their files in the temporary folder; giving the run one of its own leaves nothing behind. It stays open
  // to other users because PostgreSQL does not run as root and then needs to enter.
  const temporary = await mkdtemp(path.join(tmpdir(), "rad-test-"));
  await chmod(temporary, 0o755);
  process.env["TMPDIR"] = temporary;
  try {
    const needsCluster = anyImports(files.filter(isSlow), testCluster);
    await using cluster = needsCluster ? await startCluster() : undefined;
    if (needsCluster && cluster === undefined) {
      return false;
    }
    await makeTools(files.filter(isSlow));
    return await runFiles(files, fast ? limits.fast : limits.full);
  } finally {
    await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Building it may take minutes, once; that is not part of any file's time. Says what is wrong when it cannot be had. */
async function startCluster(): Promise<AsyncDisposable | undefined> {
  const { shareTestCluster } = await import("@rad/kubernetes/testing");
  try {
    return await shareTestCluster();
  } catch (error) {
    process.stderr.write(
      `No test ran, as there is no test cluster. ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return undefined;
  }
}

/** Minutes, once; that is not part of any file's time. A test that finds none says what is wrong. */
async function makeTools(files: readonly string[]): Promise<void> {
  for (const [file, make] of Object.entries(tools)) {
    if (anyImports(files, file)) {
      await make().catch((error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      });
    }
  }
}

async function runFiles(files: string[], limit: { testMs: number; fileMinutes: number }): Promise<boolean> {
  const started = performance.now();
  let failed = 0;
  let passed = 0;
  const unrun: string[] = [];
  process.env["RAD_TEST_FILE_MINUTES"] = String(limit.fileMinutes);
  const execArgv = ["--import", path.resolve("scripts/end-hanging-file.mjs")];
  const stream = run({ files, concurrency: availableParallelism(), timeout: limit.testMs, execArgv });
  stream.on("test:fail", (event) => {
    failed += event.details.type === "suite" ? 0 : 1;
  });
  stream.on("test:pass", (event) => {
    if (event.skip !== undefined || event.todo !== undefined) {
      unrun.push(`${event.file ?? ""}: ${event.name}`);
    } else {
      passed += event.details.type === "suite" ? 0 : 1;
    }
  });
  const report = stream.compose(spec());
  for await (const chunk of report) {
    process.stdout.write(String(chunk));
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${unrun.length} not run, in ${seconds} s\n`);
  for (const name of unrun) {
    process.stdout.write(`not run: ${name}\n`);
  }
  // A skipped test looks green and proves nothing, so where it counts it is a failure.
  const complete = unrun.length === 0 || process.env["CI"] === undefined;
  return failed === 0 && passed > 0 && complete;
}

function isSlow(file: string): boolean {
  return file.startsWith(`e2e${path.sep}`) || file.endsWith(".slow.test.ts");
}

/** The longest files start first, so that the last one does not run alone. */
function slowFirst(a: string, b: string): number {
  return Number(isSlow(b)) - Number(isSlow(a)) || a.localeCompare(b);
}
