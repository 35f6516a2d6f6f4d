import { readFileSync } from "node:fs";
import type { CloudRequest } from "@rad/terraform/testing";

/**
 * Watches the requests of a cloud for two Terraform processes that write with one state at the same time: a second one may
 * begin when the first has ended.
 */
export class WriterWatch {
  /** What was seen, in words. */
  readonly problems: string[] = [];
  readonly #writers = new Map<string, number>();
  readonly #stateOf: (request: CloudRequest) => string;

  /** @param stateOf which state a request belongs to */
  constructor(stateOf: (request: CloudRequest) => string) {
    this.#stateOf = stateOf;
  }

  see(request: CloudRequest): void {
    const { action, id, terraformPid } = request;
    if (action === "configure" || action === "read") {
      return;
    }
    const state = this.#stateOf(request);
    const before = this.#writers.get(state);
    if (before !== undefined && before !== terraformPid && isAlive(before)) {
      this.problems.push(`${action} ${id} by ${terraformPid} while ${before} still runs`);
    }
    this.#writers.set(state, terraformPid);
  }
}

/** Whether the process runs; one that has ended and that nobody has waited for does not. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^[ZX]/u.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}
