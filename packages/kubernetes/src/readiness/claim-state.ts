import { latest } from "./pod-state.ts";
import type { State } from "./state.ts";
import { failed, ready, waiting } from "./state.ts";
import type { Claim, Event } from "../views.ts";

export interface ClaimEvidence {
  readonly claim: Claim;
  /** `volumeBindingMode` of its StorageClass, if that can be read. */
  readonly bindingMode: string | undefined;
  readonly events: readonly Event[];
}

/** A claim of a class that waits for the first consumer is ready: it is bound when a pod uses it. */
export function stateOfClaim({ claim, bindingMode, events }: ClaimEvidence): State {
  const phase = claim.status?.phase;
  if (phase === "Bound" || (phase !== "Lost" && bindingMode === "WaitForFirstConsumer")) {
    return ready;
  }
  if (phase === "Lost") {
    return failed("its volume is lost");
  }
  const event = latest(events);
  if (event !== undefined) {
    return waiting(`it is not bound to a volume: ${event.reason ?? "Warning"}: ${event.message ?? ""}`);
  }
  const storageClass = claim.spec?.storageClassName;
  return waiting(
    storageClass === undefined || storageClass === ""
      ? "it is not bound to a volume, and names no StorageClass that could create one"
      : `it is not bound to a volume of StorageClass '${storageClass}' yet`,
  );
}
