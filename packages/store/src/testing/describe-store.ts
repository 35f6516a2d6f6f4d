import { describeAudit } from "./contract/audit.ts";
import { describeDocuments } from "./contract/documents.ts";
import type { OpenFixture } from "./contract/fixture.ts";
import { describeGuards } from "./contract/guards.ts";
import { describeOperations } from "./contract/operations.ts";
import { describeParking } from "./contract/parking.ts";
import { describeSealing } from "./contract/sealing.ts";
import { describeTime } from "./contract/time.ts";

/** What every Store promises. Each implementation's test file calls this once; `open` uses the key `oldKey`. */
export function describeStore(name: string, open: OpenFixture): void {
  describeDocuments(name, open);
  describeGuards(name, open);
  describeOperations(name, open);
  describeParking(name, open);
  describeAudit(name, open);
  describeSealing(name, open);
  describeTime(name, open);
}
