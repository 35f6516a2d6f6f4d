import assert from "node:assert/strict";
import { it } from "node:test";
import { isTerminal, ProvisioningState } from "./provisioning-state.ts";

it("Succeeded, Failed and Canceled are terminal, in any letter case, and no other state is", () => {
  const states = [...Object.values(ProvisioningState), "Running", "", "succeeded", "FAILED", "canceled"];

  const terminal = states.filter(isTerminal);

  assert.deepEqual(terminal, ["Succeeded", "Failed", "Canceled", "succeeded", "FAILED", "canceled"]);
});
