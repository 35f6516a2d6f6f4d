/** What `state` of the status document says. */
export type InstallerState = "not-installed" | "installing" | "ready" | "pending-deletion" | "uninstalling" | "failed";

/**
 * What leads from one state to another. No other change happens.
 *
 * | state            | what holds in it                                 | left for         | when                                      |
 * | ---------------- | ------------------------------------------------ | ---------------- | ----------------------------------------- |
 * | not-installed    | no binary is active                              | installing       | an install has its turn                   |
 * | installing       | an install runs; the version before stays active | ready            | it succeeded, or failed with one before   |
 * |                  |                                                  | failed           | it failed, and no usable version is left  |
 * | ready            | a binary is active and was last seen healthy     | installing       | an install has its turn                   |
 * |                  |                                                  | pending-deletion | an uninstall found it idle: the drain     |
 * |                  |                                                  | failed           | the binary is missing or damaged          |
 * | pending-deletion | no new executions; the drain period runs         | uninstalling     | still idle after it                       |
 * |                  |                                                  | ready            | an execution still runs, or it was stopped |
 * |                  |                                                  | failed           | the same, and the binary is damaged       |
 * | uninstalling     | no new executions; files are removed             | not-installed    | they are gone                             |
 * |                  |                                                  | ready            | it was stopped, and the binary works      |
 * |                  |                                                  | failed           | it was stopped, and the binary does not   |
 * | failed           | there is no usable binary                        | installing       | an install has its turn                   |
 * |                  |                                                  | ready            | the missing binary is back                |
 */
const transitions: Readonly<Record<InstallerState, readonly InstallerState[]>> = {
  "not-installed": ["installing"],
  installing: ["ready", "failed"],
  ready: ["installing", "pending-deletion", "failed"],
  "pending-deletion": ["uninstalling", "ready", "failed"],
  uninstalling: ["not-installed", "ready", "failed"],
  failed: ["installing", "ready"],
};

/** Whether a status may go from one state to another, or stay where it is. */
export function isAllowed(from: InstallerState, to: InstallerState): boolean {
  return from === to || transitions[from].includes(to);
}
