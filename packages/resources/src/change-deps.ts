import type { Clock, Logger } from "@rad/core";
import type { Store } from "@rad/store";
import type { Permissions } from "./resource-access.ts";
import type { TypeDirectory } from "./types/served-type.ts";

/** What changing resources stands on. */
export interface ChangeDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** What every resource reports as its location, and the one that operations are found under. */
  readonly location: string;
  readonly types: TypeDirectory;
  readonly permissions: Permissions;
}
