import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Endpoint, PlannedFault } from "./box-provider.ts";
import type { Box } from "./box-store.ts";

/** What the provider knows of its past. */
export interface Ledger {
  /** Those that are there now. */
  readonly boxes: readonly Box[];
  readonly creations: readonly { readonly id: string; readonly key: string }[];
  readonly actions: number;
  /** How many arrived. */
  readonly requests: Readonly<Record<Endpoint, number>>;
}

/** A box provider in a process of its own, which survives whatever happens to those who use it. */
export class BoxProcess implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;

  static async start(): Promise<BoxProcess> {
    const script = path.join(import.meta.dirname, "provider-main.ts");
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    return new BoxProcess((JSON.parse(line) as { url: string }).url, child);
  }

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  /** Replaces what was planned before. Each fault happens once, to the next request of its endpoint. */
  async plan(faults: readonly PlannedFault[]): Promise<void> {
    await fetch(`${this.url}/faults`, { method: "POST", body: JSON.stringify({ faults }) });
  }

  async ledger(): Promise<Ledger> {
    return (await (await fetch(`${this.url}/ledger`)).json()) as Ledger;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#child, "exit");
    this.#child.kill();
    await exited;
  }
}
