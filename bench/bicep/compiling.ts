import { parseBicep } from "@rad/bicep";
import type { Measurement } from "../report.ts";
import { compile } from "./compile.ts";
import { generateBicep } from "./generate-bicep.ts";
import { medianTimes } from "./in-turns.ts";

/** A compilation runs once in a round, and the engine goes on optimising it for some twenty of them. */
const rounds = { warmUp: 20, measured: 21 };

/** So many parses take about as long as one compilation: then a busy machine disturbs both alike. */
const parses = 8;

/** A whole compilation, its parse included, against a parse alone. */
export function measureCompiling(): readonly Measurement[] {
  const text = generateBicep(10_000);
  const parseOften = () => {
    for (let time = 0; time < parses; time += 1) {
      parseBicep(text);
    }
  };
  const times = medianTimes({ parses: parseOften, compile: () => compile(text) }, rounds);
  const [value, baseline] = [times.compile, times.parses / parses];
  const name = "Bicep compile of 10,000 lines, against its parse";
  return [{ name, value, unit: "ms", baseline, figure: value / baseline, target: { atMost: 8 } }];
}

/**
 * What a line costs in a large file against a line in a small one. Each turn compiles the same number of lines and keeps
 * all of it to the end: many small files and one large file then leave the same work to the garbage collector.
 */
export function measureGrowth(): readonly Measurement[] {
  const [small, large] = [1000, 50_000];
  const works = { small: repository(small, large / small), large: repository(large, 1) };
  const times = medianTimes(
    { small: () => works.small.texts.map(compile), large: () => works.large.texts.map(compile) },
    rounds,
  );
  const value = microsecondsPerLine(times.large, works.large.lines);
  const baseline = microsecondsPerLine(times.small, works.small.lines);
  const name = `Bicep compile, a line among ${large}, against ${small}`;
  return [{ name, value, unit: "µs", baseline, figure: value / baseline, target: { atMost: 1.3 } }];
}

function repository(
  linesPerFile: number,
  files: number,
): { readonly texts: readonly string[]; readonly lines: number } {
  const texts = Array.from({ length: files }, () => generateBicep(linesPerFile));
  return { texts, lines: texts.reduce((total, text) => total + text.split("\n").length, 0) };
}

function microsecondsPerLine(milliseconds: number, lines: number): number {
  return (milliseconds * 1000) / lines;
}
