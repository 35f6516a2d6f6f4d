import { plan } from "@rad/templates/testing";
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
