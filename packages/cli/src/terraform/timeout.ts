import { CliError } from "../cli-error.ts";

export interface WaitFlags {
  readonly wait?: boolean;
  readonly timeout?: string;
}

/** How long to wait for a job, in milliseconds and as it is shown. */
export interface Timeout {
  readonly ms: number;
  readonly text: string;
}

const defaultTimeout = "10m";

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const duration = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;

/** @returns `undefined` when nothing is to be waited for. @throws CliError `InvalidUsage` */
export function readTimeout({ wait, timeout }: WaitFlags): Timeout | undefined {
  if (wait !== true) {
    if (timeout !== undefined) {
      throw new CliError("InvalidUsage", "--timeout needs --wait: without it, the command waits for nothing.");
    }
    return undefined;
  }
  const text = timeout ?? defaultTimeout;
  const ms = parseDuration(text);
  if (ms === undefined) {
    throw new CliError("InvalidUsage", `--timeout "${text}" is not a duration. Write it as 90s, 30m or 1h30m.`);
  }
  if (ms === 0) {
    throw new CliError("InvalidUsage", `--timeout "${text}" leaves no time to wait. Give a longer one, or no --wait.`);
  }
  return { ms, text };
}

/** Milliseconds of a duration such as `1h30m`; `undefined` for anything else, a negative one included. */
export function parseDuration(text: string): number | undefined {
  if (!duration.test(text)) {
    return undefined;
  }
  const parts = text.matchAll(/([\d.]+)(ms|s|m|h)/g);
  return Array.from(parts, ([, amount, unit]) => Number(amount) * (unitMs[unit ?? ""] ?? 0)).reduce((a, b) => a + b, 0);
}
