export { restoreArtifacts } from "./restore.ts";
export type { RestoreOptions, RestoreOutcome } from "./restore.ts";
