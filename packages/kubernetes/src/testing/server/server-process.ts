import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { until } from "@rad/core/testing";

/**
 * A process and its children, in a process group of their own. Its input is a pipe that closes when this process ends,
 * however it ends; the process stops then. It does not keep this process alive.
 */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #log: string;
  readonly #output: string[] = [];

  constructor(command: string, args: readonly string[], options: { folder: string; log: string }) {
    this.#log = options.log;
    const log = openSync(options.log, "a", 0o600);
    const env = { GOGC: "400", ...process.env }; // saves a fifth of an apply, and costs memory that tests have
    this.#child = spawn(command, args, { cwd: options.folder, stdio: ["pipe", "pipe", log], detached: true, env });
    closeSync(log);
    this.#child.on("error", () => {}); // seen as an end without an exit code
    this.#child.stdin?.on("error", () => {});
    this.#child.stdout?.on("data", (chunk: Buffer) => this.#output.push(chunk.toString()));
    this.#child.unref();
    for (const stream of [this.#child.stdin, this.#child.stdout]) {
      (stream as { unref?: () => void } | null)?.unref?.();
    }
  }

  get isRunning(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The first line that it has printed, once it is complete. */
  get firstLine(): string | undefined {
    const output = this.#output.join("");
    return output.includes("\n") ? output.slice(0, output.indexOf("\n")) : undefined;
  }

  /** Resolves when it has ended, and its children have. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) {
      return;
    }
    const ended = once(this.#child, "exit");
    this.#child.ref();
    this.kill(signal);
    await ended;
    await until("the whole process group has ended", () => !this.#hasGroup());
  }

  #hasGroup(): boolean {
    try {
      return process.kill(-(this.#child.pid ?? 0), 0);
    } catch {
      return false;
    }
  }

  /** Does not wait. */
  kill(signal: NodeJS.Signals): void {
    if (this.isRunning && this.#child.pid !== undefined) {
      process.kill(-this.#child.pid, signal);
    }
  }

  /** The end of its log, for messages. */
  async lastWords(): Promise<string> {
    return (await readFile(this.#log, "utf8").catch(() => "")).trim().slice(-3_000);
  }
}
