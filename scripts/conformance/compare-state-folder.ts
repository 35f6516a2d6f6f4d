import { readFile } from "node:fs/promises";
import path from "node:path";
import type { JsonValue } from "@rad/core";
import { compareState, readRows } from "./compare-states.ts";
import type { ExpectedId, StateComparison } from "./compare-states.ts";

/**
 * Compares the ids of the states in a folder with the rows of its `expected.json`. Prints every difference, and how
 * many resources agree as the last line.
 * @returns whether there is no difference
 */
export async function compareStateFolder(folder: string, print: (line: string) => void): Promise<boolean> {
  const rows = readRows(await readJson(path.join(folder, "expected.json")));
  let equal = 0;
  let extra = 0;
  for (const [file, ofFile] of Map.groupBy(rows, (row) => row.file)) {
    const comparison = await compareFile(path.join(folder, file), ofFile);
    equal += comparison.equal;
    extra += comparison.extra;
    for (const difference of comparison.differences) {
      print(`${file}  ${difference}`);
    }
  }
  print(`ids: ${equal} of ${rows.length} resources equal, ${extra} extra`);
  return equal === rows.length && extra === 0;
}

/** A document that cannot be read differs in all of its resources; the others are compared all the same. */
async function compareFile(file: string, rows: readonly ExpectedId[]): Promise<StateComparison> {
  let state: JsonValue;
  try {
    state = await readJson(file);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { equal: 0, extra: 0, differences: rows.map(({ address }) => `${address}: ${message}`) };
  }
  return compareState(state, rows);
}

async function readJson(file: string): Promise<JsonValue> {
  return JSON.parse(await readFile(file, "utf8")) as JsonValue;
}
