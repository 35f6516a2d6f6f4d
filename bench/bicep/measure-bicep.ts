import type { Measurement } from "../report.ts";
import { measureCompiling, measureGrowth } from "./compiling.ts";
import { measureParsing } from "./parsing.ts";
import { measureColdBuild, measurePeakMemory } from "./processes.ts";

/** The compiler: how fast it is, how its cost grows, how soon it is there and how much memory it takes. */
export function measureBicep(): readonly Measurement[] {
  return [
    ...measureParsing(),
    ...measureCompiling(),
    ...measureGrowth(),
    ...measureColdBuild(),
    ...measurePeakMemory(),
  ];
}
