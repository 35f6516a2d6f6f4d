import type { LogFields, Logger, Redactor } from "@rad/core";
import { destination as openDestination, pino, stdTimeFunctions } from "pino";
import type { Logger as Pino } from "pino";
import { describeError } from "./describe-error.ts";
import { readableLine } from "./readable-line.ts";

type LogLevel = "debug" | "info" | "warn" | "error";

/** Where finished lines go, each with its line break. */
interface LogDestination {
  write(line: string): void;
  /** Brings lines out that are held back. */
  flushSync?(): void;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** JSON lines for machines, otherwise `key=value` lines for people. */
  readonly json: boolean;
  /** Standard error when absent. */
  readonly destination?: LogDestination;
  readonly redactor: Redactor;
}

/**
 * A logger that writes one line per call: warnings and errors at once, others together with those of the next tenth of a
 * second. Each line is searched for secret values as a whole, just before it
 * leaves: whatever field, message or stack a secret ended up in. A level that is off costs an empty call.
 */
export function createLogger(options: LoggerOptions): Logger {
  const { json, redactor } = options;
  const destination = options.destination ?? standardError();
  const root = pino(
    {
      level: options.level,
      base: null,
      messageKey: "message",
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    {
      write(line: string) {
        const safe = redactor.redact(line);
        destination.write(json ? safe : readableLine(safe));
      },
    },
  );
  return wrap(root, () => destination.flushSync?.());
}

function wrap(target: Pino, flush: () => void): Logger {
  const urgent = (level: LogLevel): Logger["warn"] => {
    const write = writer(target, level);
    return (message, fields) => {
      write(message, fields);
      flush();
    };
  };
  return {
    debug: writer(target, "debug"),
    info: writer(target, "info"),
    warn: urgent("warn"),
    error: urgent("error"),
    child: (fields) => wrap(target.child(plainErrors(fields)), flush),
  };
}

function writer(target: Pino, level: LogLevel): (message: string, fields?: LogFields) => void {
  if (!target.isLevelEnabled(level)) {
    return () => {};
  }
  return (message, fields) => target[level](fields === undefined ? {} : plainErrors(fields), message);
}

function plainErrors(fields: LogFields): LogFields {
  if (!Object.values(fields).some((value) => value instanceof Error)) {
    return fields;
  }
  const plain = Object.entries(fields).map(([key, value]) => [
    key,
    value instanceof Error ? describeError(value) : value,
  ]);
  return Object.fromEntries(plain);
}

let shared: LogDestination | undefined;

/** One for all loggers of the process, so that lines stay in their order. */
function standardError(): LogDestination {
  shared ??= openStandardError();
  return shared;
}

function openStandardError(): LogDestination {
  const stream = openDestination({ fd: 2, sync: true, minLength: 4_096 });
  const flush = (): void => {
    try {
      stream.flushSync();
    } catch {
      // nobody reads it any more
    }
  };
  setInterval(flush, 100).unref();
  process.on("exit", flush);
  // A terminal that was closed is no reason to stop serving.
  stream.on("error", () => {});
  return stream;
}
