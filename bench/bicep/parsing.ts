import { parseBicep } from "@rad/bicep";
import ts from "typescript-5";
import type { Measurement } from "../report.ts";
import { generateBicep } from "./generate-bicep.ts";
import { generateTypeScript } from "./generate-typescript.ts";
import { medianTimes } from "./in-turns.ts";

/** Lines that make about a megabyte. */
const lines = 43_000;

/** Our parser against TypeScript's, each on its own language, in megabytes a second. */
export function measureParsing(): readonly Measurement[] {
  const bicep = generateBicep(lines);
  const typeScript = generateTypeScript(bicep.length);
  expectCleanParse(bicep);
  const times = medianTimes(
    {
      bicep: () => parseBicep(bicep),
      typeScript: () => ts.createSourceFile("generated.ts", typeScript, ts.ScriptTarget.Latest, false),
    },
    { warmUp: 10, measured: 31 },
  );
  const value = megabytesPerSecond(bicep, times.bicep);
  const baseline = megabytesPerSecond(typeScript, times.typeScript);
  const name = "Bicep parser, 1 MB, against TypeScript 5.9's";
  return [{ name, value, unit: "MB/s", baseline, figure: value / baseline, target: { atLeast: 1 } }];
}

function expectCleanParse(text: string): void {
  const [first] = parseBicep(text).diagnostics;
  if (first !== undefined) {
    throw new Error(`the generated file does not parse: ${first.message}`);
  }
}

function megabytesPerSecond(text: string, milliseconds: number): number {
  return text.length / 1000 / milliseconds; // the generated files are ASCII
}
