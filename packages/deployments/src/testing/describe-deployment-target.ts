import { describeChanges } from "./contract/changes.ts";
import { describeEndings } from "./contract/endings.ts";
import { describeLooking } from "./contract/looking.ts";
import type { OpenWorld } from "./contract/target-world.ts";

/** What every deployment target promises. Each target's test file calls this once; `open` gives an empty world. */
export function describeDeploymentTarget(name: string, open: OpenWorld): void {
  describeChanges(name, open);
  describeEndings(name, open);
  describeLooking(name, open);
}
