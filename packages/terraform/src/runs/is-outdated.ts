import { RunError } from "./run-error.ts";

/**
 * Whether `state push` says that somebody has written a newer state, or another one. Its own words are looked for, since the
 * state is dropped then: addresses and errors of databases (`could not serialize access`) have similar ones in them.
 */
export function isOutdated(error: unknown): boolean {
  return (
    error instanceof RunError &&
    /\bcannot\s+(?:import|overwrite\s+existing)\s+state\s+with\s+(?:serial|lineage)\b/u.test(error.message)
  );
}
