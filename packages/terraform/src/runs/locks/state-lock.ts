import type { LockHolder } from "../run-error.ts";
import type { RunDiagnostic } from "../run-event.ts";
import type { LockWindow } from "./lock-window.ts";

/** A lock that a run of ours, which is dead, may have left. */
export interface DeadLock extends LockWindow {
  readonly host: string;
}

/** Who has the lock, when a command failed because somebody has. */
export function lockHolderIn(diagnostics: readonly RunDiagnostic[]): LockHolder | undefined {
  const found = diagnostics.find(({ summary }) => summary === "Error acquiring the state lock");
  if (found === undefined) {
    return undefined;
  }
  const info = (name: string): string =>
    new RegExp(`^\\s*${name}:[ \\t]*(.*)$`, "mu").exec(found.detail)?.[1]?.trim() ?? "";
  // The http backend describes itself where it should describe the holder, of which only the id is told.
  const [, holder] = /already locked: ID=(\S+)/u.exec(found.detail) ?? [];
  if (holder !== undefined && holder !== info("ID")) {
    return { id: holder, who: "", operation: "", created: "", path: info("Path") };
  }
  return {
    id: info("ID"),
    who: info("Who"),
    operation: info("Operation")
      .replace(/^OperationType/u, "")
      .toLowerCase(),
    created: info("Created"),
    path: info("Path"),
  };
}

/**
 * Whether a lock was taken by one of our runs that are dead: on the same machine, at the moment when that run took its
 * lock. Nobody else's lock is ever broken: one that does not say who took it when is somebody else's.
 */
export function isLeftBy(holder: LockHolder, dead: readonly DeadLock[]): boolean {
  const created = timeOf(holder.created);
  const host = holder.who.slice(holder.who.lastIndexOf("@") + 1);
  if (holder.id === "" || created === undefined || !holder.who.includes("@")) {
    return false;
  }
  return dead.some((window) => {
    const from = Date.parse(window.from);
    const to = window.to === undefined ? Number.POSITIVE_INFINITY : Date.parse(window.to);
    return window.host === host && created >= from && created <= to;
  });
}

/** Go prints times as `2026-01-02 03:04:05.678901234 +0000 UTC`. */
function timeOf(text: string): number | undefined {
  const [, date, time, fraction = ""] =
    /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(\.\d+)?(?:Z| \+0000)/u.exec(text) ?? [];
  const parsed = Date.parse(`${date}T${time}${fraction.slice(0, 4)}Z`);
  return Number.isNaN(parsed) ? undefined : parsed;
}
