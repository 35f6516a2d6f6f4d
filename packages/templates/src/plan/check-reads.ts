import type { ResourceRead } from "./compiled.ts";
import type { ProblemLog } from "./plan-problem.ts";
import type { Program } from "./program.ts";
import type { ResourceEntry } from "./resource-entry.ts";
import type { ResourceIndex } from "./resource-index.ts";

/**
 * Finds calls that read a resource which the template does not have, also in the branch of an `if` that is not taken.
 * Only names that are written out can be told: others show when they are computed.
 */
export function checkReads(program: Program, index: ResourceIndex, log: ProblemLog): void {
  const visit = (entry: ResourceEntry): void => {
    entry.reads.forEach((read) => checkRead(read, index, log));
    entry.children.forEach(visit);
  };
  program.resources.forEach(visit);
  program.outputs.forEach(({ reads }) => reads.forEach((read) => checkRead(read, index, log)));
}

function checkRead(
  { target, path, position, function: name }: ResourceRead,
  index: ResourceIndex,
  log: ProblemLog,
): void {
  if (target.kind !== "string" || target.value.startsWith("/")) {
    return; // an id may be that of any resource
  }
  const text = target.value;
  // A loop may have too few rounds, which the template then asks about before it reads one of them.
  const names = [text, text.replace(/\[\d+\]$/, "")];
  if (names.some((one) => index.find(one) !== undefined || index.hasFailed(one))) {
    return;
  }
  const problem = index.isAmbiguous(text) ? "stands for several resources" : "is not defined in the template";
  log.add("UnknownDependency", path, `${name}: the resource "${text}" ${problem}.`, position);
}
