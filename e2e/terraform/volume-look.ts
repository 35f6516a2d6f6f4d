import { execFile } from "node:child_process";
import { readdir, readlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { until } from "@rad/core/testing";

const run = promisify(execFile);

/**
 * The first line that `<root>/current version` prints, such as `Terraform v1.11.4`; nothing where nothing is active. Looks
 * again if `current` meanwhile leads elsewhere or is gone: a job that goes on may remove what the link led to.
 */
export async function runCurrent(root: string): Promise<string | undefined> {
  const target = await currentOn(root);
  if (target === undefined) {
    return undefined;
  }
  try {
    return await firstLine(path.join(root, target));
  } catch (error) {
    if ((await currentOn(root)) === target) {
      throw error;
    }
    return await runCurrent(root);
  }
}

async function currentOn(root: string): Promise<string | undefined> {
  return await readlink(path.join(root, "current")).catch(() => undefined);
}

export async function firstLine(file: string): Promise<string> {
  const { stdout } = await run(file, ["version"], { env: { ...process.env, CHECKPOINT_DISABLE: "1" } });
  return stdout.split("\n", 1)[0] ?? "";
}

/** What is on a volume without any job: names in its root, and below a folder of a version those in it. */
export async function namesOn(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true }).catch(() => []);
  return entries.filter((name) => !name.startsWith(".temporary")).toSorted();
}

/**
 * Waits until a volume has nothing unfinished, and at most the binaries of `current` and `previous`. What a job no longer
 * needs is removed after its end.
 */
export async function untilTidy(root: string): Promise<void> {
  let found: string[] = [];
  await until(
    () => `nothing is left on the volume but the last two versions; there are ${found.join(", ")}`,
    async () => {
      const unfinished = await readdir(path.join(root, ".temporary"), { recursive: true }).catch(() => []);
      const names = await namesOn(root);
      found = [...unfinished, ...names];
      return unfinished.length === 0 && names.filter((name) => /^(?:opentofu-)?\d[^/]*$/u.test(name)).length <= 2;
    },
    { timeoutMs: 60_000 },
  );
}

/**
 * Resolves `current` and runs it, again and again. A file that does not run is fine only if `current` meanwhile leads
 * elsewhere or is gone.
 */
export class CurrentReader implements AsyncDisposable {
  readonly broken: string[] = [];
  runs = 0;
  absent = 0;
  readonly #root: string;
  readonly #stop = new AbortController();
  readonly #reading: Promise<void>;

  constructor(root: string) {
    this.#root = root;
    this.#reading = this.#read();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#reading;
  }

  async #read(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#look();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async #look(): Promise<void> {
    const target = await currentOn(this.#root);
    if (target === undefined) {
      this.absent += 1;
      return;
    }
    try {
      await run(path.join(this.#root, target), ["version", "-json"]);
      this.runs += 1;
    } catch (error) {
      if ((await currentOn(this.#root)) === target) {
        this.broken.push(`${target}: ${String(error)}`);
      }
    }
  }
}
