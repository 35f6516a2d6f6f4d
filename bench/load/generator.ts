import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { LoadJob, LoadResult } from "./job.ts";

/** A process that makes requests, so that making them does not slow down whoever measures or serves. */
export class LoadGenerator implements Disposable {
  readonly #child: ChildProcess = fork(path.join(import.meta.dirname, "main.ts"));

  async run(job: LoadJob): Promise<LoadResult> {
    this.#child.send(job);
    const [answer] = (await once(this.#child, "message")) as [{ result?: LoadResult; error?: string }];
    if (answer.result === undefined) {
      throw new Error(`the load generator failed: ${answer.error}`);
    }
    return answer.result;
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }
}
