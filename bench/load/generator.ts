import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { LoadJob } from "./job.ts";

/** A process that makes requests, so that making them does not slow down whoever measures or serves. */
export class LoadGenerator implements Disposable {
  readonly #child: ChildProcess = fork(path.join(import.meta.dirname, "main.ts"));

  async run(job: LoadJob): Promise<number> {
    this.#child.send(job);
    const [answer] = (await once(this.#child, "message")) as [{ rate?: number; error?: string }];
    if (answer.rate === undefined) {
      throw new Error(`the load generator failed: ${answer.error}`);
    }
    return answer.rate;
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }
}
