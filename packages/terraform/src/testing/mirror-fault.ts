import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** What a mirror does instead of a proper answer. */
export type MirrorFault =
  /** Sends so many bytes, then nothing until the fault is disposed. */
  | { readonly kind: "stall"; readonly afterBytes: number }
  /** Sends so many bytes, then ends the connection. */
  | { readonly kind: "cut"; readonly afterBytes: number }
  | { readonly kind: "redirect"; readonly to: string }
  /** Changes one byte of the content. */
  | { readonly kind: "corrupt"; readonly at: number }
  | { readonly kind: "status"; readonly status: number }
  /** Sends a few bytes at a time. */
  | { readonly kind: "drip"; readonly bytes: number; readonly everyMs: number };

export interface FaultOptions {
  /** Requests that it meets; all if left out. */
  readonly times?: number;
}

/** A fault that requests for some paths meet, until it is disposed. */
export interface ActiveFault extends Disposable {
  readonly paths: RegExp;
  readonly fault: MirrorFault;
  /** How many requests have met it. */
  readonly met: number;
}

export class ArmedFault implements ActiveFault {
  readonly paths: RegExp;
  readonly fault: MirrorFault;
  readonly ended = Promise.withResolvers<void>();
  met = 0;
  readonly #times: number;
  readonly #onEnd: (fault: ArmedFault) => void;

  constructor(paths: RegExp, fault: MirrorFault, options: FaultOptions, onEnd: (fault: ArmedFault) => void) {
    this.paths = paths;
    this.fault = fault;
    this.#times = options.times ?? Infinity;
    this.#onEnd = onEnd;
  }

  meets(path: string): boolean {
    return this.met < this.#times && this.paths.test(path);
  }

  [Symbol.dispose](): void {
    this.ended.resolve();
    this.#onEnd(this);
  }
}

/** Sends content in the way of a fault; the head has been written. */
export async function sendFaulty(response: ServerResponse, content: Buffer, armed: ArmedFault): Promise<void> {
  const { fault } = armed;
  switch (fault.kind) {
    case "cut":
      response.write(content.subarray(0, fault.afterBytes), () => response.destroy());
      return;
    case "stall":
      response.write(content.subarray(0, fault.afterBytes));
      await armed.ended.promise;
      response.end(content.subarray(fault.afterBytes));
      return;
    case "corrupt": {
      const changed = Buffer.from(content);
      const at = Math.min(fault.at, changed.length - 1);
      changed.writeUInt8(changed.readUInt8(at) ^ 0xff, at);
      response.end(changed);
      return;
    }
    case "drip":
      for (let at = 0; at < content.length && !response.destroyed; at += fault.bytes) {
        response.write(content.subarray(at, at + fault.bytes));
        await Promise.race([sleep(fault.everyMs), armed.ended.promise]);
      }
      response.end();
      return;
    default:
      response.end(content); // the others are in the head
  }
}
