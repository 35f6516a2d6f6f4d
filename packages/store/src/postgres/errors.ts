import { DatabaseError } from "pg";
import { StoreError } from "../store.ts";

/** SQLSTATE codes after which the same transaction, run again, may well succeed. */
const races = new Set(["40001", "40P01", "55P03"]);

export function isRace(state: string): boolean {
  return races.has(state);
}

/** Turns what `pg` throws into the store's errors; what is neither the network nor the disk stays a bug. */
export function translate(error: unknown): unknown {
  if (error instanceof DatabaseError) {
    return translateState(error.code ?? "", error.message, error);
  }
  if (error instanceof Error && !(error instanceof StoreError) && isConnectionError(error)) {
    return new StoreError("Unavailable", `PostgreSQL cannot be reached: ${reasonOf(error)}.`, { cause: error });
  }
  return error;
}

export function translateState(state: string, message: string, cause?: unknown): unknown {
  const fail = (kind: StoreError["code"], what: string): StoreError =>
    new StoreError(kind, `${what}: ${message}.`, { cause });
  switch (state) {
    case "53100": // disk full
    case "58030": // I/O error
    case "25006": // read-only transaction, as on a standby
      return fail("NotWritable", "PostgreSQL cannot write");
    case "57014": // statement timeout
    case "55P03": // lock timeout
    case "25P03": // idle in transaction for too long, as after SIGSTOP
    case "25P04": // transaction timeout
      return fail("Unavailable", "PostgreSQL did not answer in time");
    default:
  }
  switch (state.slice(0, 2)) {
    case "08": // connection
    case "28": // authorisation
    case "3D": // no such database
    case "53": // resources, such as too many connections
    case "57": // shutdown and start-up
      return fail("Unavailable", "PostgreSQL refuses to serve");
    case "40": // still transient after every retry
      return fail("Unavailable", "PostgreSQL could not serialise the write");
    default:
      return cause ?? new Error(`PostgreSQL refused a write: ${message} (${state}).`);
  }
}

/** Wrong credentials or a database that does not exist: waiting does not help a program that is starting. */
export function isMisconfigured(error: unknown): boolean {
  const cause = error instanceof StoreError ? error.cause : error;
  return cause instanceof DatabaseError && ["28", "3D"].includes(cause.code?.slice(0, 2) ?? "");
}

/** `pg` reports a lost connection as a system error, or as a bare error with one of a few texts. */
function isConnectionError(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  const isSystemError = typeof code === "string" && /^E[A-Z_]+$/.test(code) && !code.startsWith("ERR_");
  return (
    isSystemError ||
    error instanceof AggregateError ||
    /connection|timeout|not queryable|after calling end on the pool/i.test(error.message)
  );
}

function reasonOf(error: Error): string {
  return error.message === "" ? ((error as NodeJS.ErrnoException).code ?? error.name) : error.message;
}
