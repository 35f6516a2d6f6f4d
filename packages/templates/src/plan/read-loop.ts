import { getMember } from "../values/members.ts";
import { isObject, type Value } from "../values/value.ts";
import type { ProblemLog } from "./plan-problem.ts";

interface LoopSource {
  readonly name: string;
  readonly path: string;
  readonly count: Value;
  readonly input: Value;
}

/** Reads a `copy` list of properties or variables: `[{name, count, input}]`. */
export function readLoopList(list: readonly Value[], path: string, log: ProblemLog): LoopSource[] {
  return list.flatMap((entry, index) => {
    const entryPath = `${path}[${index}]`;
    const name = isObject(entry) ? getMember(entry, "name") : undefined;
    const count = isObject(entry) ? getMember(entry, "count") : undefined;
    const input = isObject(entry) ? getMember(entry, "input") : undefined;
    if (typeof name !== "string" || count === undefined || input === undefined) {
      log.add("InvalidLoop", entryPath, "A loop needs a name, a count and an input.");
      return [];
    }
    return [{ name, path: entryPath, count, input }];
  });
}
