/** One line of the report. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What it is compared with, measured in the same run. */
  readonly baseline?: number;
  /** `value` in relation to `baseline`, or `value` itself: what the target is about. */
  readonly figure: number;
  /** Without one it is only reported. */
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
}

export function meetsTarget({ figure, target }: Measurement): boolean {
  if (target === undefined) {
    return true;
  }
  return "atLeast" in target ? figure >= target.atLeast : figure <= target.atMost;
}

export function table(measurements: readonly Measurement[]): string {
  const rows = measurements.map((measurement) => [
    measurement.name,
    `${round(measurement.value)} ${measurement.unit}`,
    measurement.baseline === undefined ? "" : `${round(measurement.baseline)} ${measurement.unit}`,
    measurement.baseline === undefined ? "" : `${measurement.figure.toFixed(2)} ×`,
    targetText(measurement),
    measurement.target === undefined ? "" : meetsTarget(measurement) ? "yes" : "NO",
  ]);
  const all = [["measurement", "ours", "baseline", "ratio", "target", "met"], ...rows];
  const widths = all.reduce<number[]>((max, row) => row.map((cell, i) => Math.max(max[i] ?? 0, cell.length)), []);
  return all
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Of an odd number of values the middle one. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.floor(sorted.length / 2)];
  if (value === undefined) {
    throw new Error("nothing was measured");
  }
  return value;
}

function targetText({ target, baseline, unit }: Measurement): string {
  if (target === undefined) {
    return "";
  }
  const relation = "atLeast" in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
  return `${relation} ${baseline === undefined ? unit : "×"}`;
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(2 + Number(value >= 10));
}
