import { planTemplate } from "@rad/templates";
import type { JsonObject } from "@rad/core";
import { medianTimes } from "../bicep/in-turns.ts";
import type { Measurement } from "../report.ts";
import { benchTemplate } from "./bench-template.ts";

/** How long the plan of a large template takes by itself, in this process. */
export function measurePlanning(count: number): readonly Measurement[] {
  const template = (form: "copy" | "literal"): JsonObject =>
    benchTemplate(form, "Bench.Load/items", "2025-01-01", count);
  const [copy, literal] = [template("copy"), template("literal")];
  const times = medianTimes({ copy: () => plan(copy), literal: () => plan(literal) }, { warmUp: 2, measured: 7 });
  return (["copy", "literal"] as const).map((form) => ({
    name: `plan ${count} (${form})`,
    value: times[form],
    unit: "ms",
    figure: times[form],
    target: { atMost: 2000 },
  }));
}

function plan(template: JsonObject): void {
  const scope = "/planes/radius/local/resourceGroups/bench";
  const result = planTemplate({
    template,
    deployment: { name: "bench" },
    scopes: { radius: scope, deployments: scope },
    now: new Date(),
    newGuid: () => "00000000-0000-4000-8000-000000000000",
  });
  if (result.kind === "failed") {
    throw new Error(result.errors[0]?.message);
  }
}
