import { ArtifactError } from "../artifact-error.ts";

export interface TimeLimits {
  /** From the first look-up to the last byte. */
  readonly totalMs: number;
  /** Without a single byte. */
  readonly idleMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Ends a request in time. `failure` says what ended it, if anything here did. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** Something arrived, or is asked for just now. */
  readonly touch: () => void;
  /** @throws the reason of the caller's signal, or ArtifactError `TimedOut` */
  throwIfOver(): void;
}

export function startDeadline({ totalMs, idleMs, signal: given }: TimeLimits, host: string): Deadline {
  const controller = new AbortController();
  const end = (seconds: string) => () =>
    controller.abort(new ArtifactError("TimedOut", `${host} took longer than ${seconds}.`, { reason: "TimeoutError" }));
  const total = setTimeout(end(`${totalMs / 1000} seconds`), totalMs);
  const idle = idleMs === undefined ? undefined : setTimeout(end(`${idleMs / 1000} seconds to send anything`), idleMs);
  const signal = given === undefined ? controller.signal : AbortSignal.any([given, controller.signal]);
  return {
    signal,
    touch: () => idle?.refresh(),
    throwIfOver: () => {
      given?.throwIfAborted();
      controller.signal.throwIfAborted();
    },
    [Symbol.dispose]: () => {
      clearTimeout(total);
      clearTimeout(idle);
    },
  };
}
