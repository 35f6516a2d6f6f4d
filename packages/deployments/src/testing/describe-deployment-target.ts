import { describeChanges } from "./contract/changes.ts";
import { describeEndings } from "./contract/endings.ts";
import { describeLooking } from "./contract/looking.ts";
import type { OpenWorld, TargetAbilities } from "./contract/target-world.ts";

/** What every deployment target promises. Each target's test file calls this once; `open` gives an empty world. */
export function describeDeploymentTarget(name: string, can: TargetAbilities, open: OpenWorld): void {
  describeChanges(name, can, open);
  if (can.workLater) {
    describeEndings(name, can, open);
  }
  describeLooking(name, can, open);
}
