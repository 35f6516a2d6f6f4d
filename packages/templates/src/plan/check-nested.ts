import type { Pausing } from "../pausing.ts";
import { getMember } from "../values/members.ts";
import { checkTypes } from "./check-types.ts";
import { adoptDeclarations } from "./evaluate-nested.ts";
import type { LoopName } from "./loop-names.ts";
import type { PlanLimits } from "./plan.ts";
import type { ProblemLog } from "./plan-problem.ts";
import { compileProgram, type Program, type ProgramDeps } from "./program.ts";
import type { NestedEntry, ResourceEntry } from "./resource-entry.ts";
import { readTemplate, type TemplateSource } from "./template-source.ts";
import { TypeDefinitions } from "./type-node.ts";

export interface NestedCheck extends ProgramDeps {
  readonly limits: PlanLimits;
}

/**
 * Finds in the nested templates what can be found before their parameters are known, so that a slip three levels down
 * shows before anything is deployed, with its path from the outermost template.
 */
export function* checkNestedTemplates(program: Program, check: NestedCheck): Pausing<void> {
  yield* checkAll(program, check, { depth: 1, loops: [] });
}

/** Where a nested template stands. */
interface Place {
  readonly depth: number;
  readonly loops: readonly LoopName[];
}

function* checkAll(program: Program, check: NestedCheck, place: Place): Pausing<void> {
  const visit = function* (entry: ResourceEntry, around: readonly LoopName[]): Pausing<void> {
    const loops =
      entry.loop === undefined ? around : [...around, { name: entry.loop.name.toLowerCase(), unnamed: true }];
    if (entry.nested?.template !== undefined) {
      yield* checkOne(entry, entry.nested, program.source, check, { ...place, loops });
    }
    for (const child of entry.children) {
      yield* visit(child, loops);
    }
  };
  for (const entry of program.resources) {
    yield* visit(entry, place.loops);
  }
}

function* checkOne(
  entry: ResourceEntry,
  nested: NestedEntry,
  parent: TemplateSource,
  check: NestedCheck,
  { depth, loops: around }: Place,
): Pausing<void> {
  const { log, limits, budget } = check;
  const path = `${entry.path}.properties.template`;
  if (depth > limits.nesting) {
    log.add("LimitExceeded", path, `Deployments nest at most ${limits.nesting} levels deep.`);
    return;
  }
  const template = nested.template ?? new Map();
  const document = nested.outer ? adoptDeclarations(template, parent) : template;
  const source = yield* readTemplate(document, { path, log, limits, budget });
  if (source === undefined) {
    return;
  }
  if (!nested.outer && (yield* checkTypes(source, log, budget))) {
    checkParameters(entry, nested, source, log);
  }
  const loops = nested.outer ? around : [];
  const program = yield* compileProgram(source, check, loops);
  yield* checkAll(program, check, { depth: depth + 1, loops });
}

function checkParameters(entry: ResourceEntry, nested: NestedEntry, source: TemplateSource, log: ProblemLog): void {
  const given = new Set([...nested.parameters.keys()].map((name) => name.toLowerCase()));
  for (const name of nested.parameters.keys()) {
    if (!source.parameters.has(name.toLowerCase())) {
      const path = `${entry.path}.properties.parameters.${name}`;
      log.add("UnknownParameter", path, `The nested template does not declare "${name}".`);
    }
  }
  if (nested.parametersLink !== undefined) {
    return;
  }
  const definitions = new TypeDefinitions(source.definitions);
  for (const [key, { name, node }] of source.parameters) {
    const needed = log.attempt(`${source.path}.parameters.${name}`, () => !definitions.isNullable(node));
    if (needed === true && !given.has(key) && getMember(node, "defaultValue") === undefined) {
      const message = `The nested template needs the parameter "${name}".`;
      log.add("MissingParameter", `${entry.path}.properties.parameters`, message);
    }
  }
}
