// Whatever a template does, others on the thread get their turn.
import assert from "node:assert/strict";
import { it } from "node:test";
import { inSlices } from "@rad/core";
import { longestTurn } from "@rad/core/testing";
import { sliced } from "../pausing.ts";
import { hostileTemplates, type HostileTemplate } from "../testing/hostile-templates.ts";
import { evaluateNode } from "./evaluate-node.ts";
import { evaluateOutputs } from "./evaluate-outputs.ts";
import type { PlanErrorReason } from "./plan.ts";
import { planTemplate } from "./plan-template.ts";
import { azureGroup, group, results } from "./testing/plan-kit.ts";

/** Some 200 ms, see `longestTurn`. The worst of these was measured to take 60. */
const mostUnits = 25;

for (const hostile of hostileTemplates) {
  it(`others get their turn: ${hostile.name}`, async () => {
    const input = hostile.make();

    const { result, units } = await longestTurn(() => planAndEvaluate(input));

    assert.deepEqual([...new Set(result)], hostile.refused === undefined ? [] : [hostile.refused]);
    assert.ok(units < mostUnits, `${units} units in one turn`);
  });
}

/** The reasons of whatever is wrong, up to the first node that fails. */
async function planAndEvaluate(input: ReturnType<HostileTemplate["make"]>): Promise<readonly PlanErrorReason[]> {
  const plan = await inSlices(
    sliced(
      planTemplate({
        ...input,
        deployment: { name: "main" },
        scopes: { radius: group, deployments: group, az: azureGroup },
        now: new Date("2024-05-06T07:08:09Z"),
        newGuid: () => "0d5b1e7e-8a1c-4c41-9a3e-0a3f6e0a4b11",
      }),
    ),
  );
  if (plan.kind === "failed") {
    return plan.errors.map(({ reason }) => reason);
  }
  for (const key of plan.nodes.keys()) {
    const evaluation = await inSlices(sliced(evaluateNode(plan, key, results())));
    if (evaluation.kind === "failed") {
      return evaluation.errors.map(({ reason }) => reason);
    }
  }
  const outputs = await inSlices(sliced(evaluateOutputs(plan, results())));
  return outputs.kind === "failed" ? outputs.errors.map(({ reason }) => reason) : [];
}
