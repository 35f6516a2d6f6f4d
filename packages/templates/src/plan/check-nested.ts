import { getMember } from "../values/members.ts";
import { checkTypes } from "./check-types.ts";
import { adoptDeclarations } from "./evaluate-nested.ts";
import type { PlanLimits } from "./plan.ts";
import type { ProblemLog } from "./plan-problem.ts";
import { compileProgram, type FunctionSignatures, type Program } from "./program.ts";
import type { NestedEntry, ResourceEntry } from "./resource-entry.ts";
import { readTemplate, type TemplateSource } from "./template-source.ts";
import { TypeDefinitions } from "./type-node.ts";

export interface NestedCheck {
  readonly signatures: FunctionSignatures;
  readonly limits: PlanLimits;
  readonly log: ProblemLog;
}

/**
 * Finds in the nested templates what can be found before their parameters are known, so that a slip three levels down
 * shows before anything is deployed, with its path from the outermost template.
 */
export function checkNestedTemplates(program: Program, check: NestedCheck, depth = 1): void {
  const visit = (entry: ResourceEntry): void => {
    if (entry.nested?.template !== undefined) {
      checkOne(entry, entry.nested, program.source, check, depth);
    }
    entry.children.forEach(visit);
  };
  program.resources.forEach(visit);
}

function checkOne(
  entry: ResourceEntry,
  nested: NestedEntry,
  parent: TemplateSource,
  check: NestedCheck,
  depth: number,
): void {
  const { log, limits, signatures } = check;
  const path = `${entry.path}.properties.template`;
  if (depth > limits.nesting) {
    log.add("LimitExceeded", path, `Deployments nest at most ${limits.nesting} levels deep.`);
    return;
  }
  const template = nested.template ?? new Map();
  const source = readTemplate(nested.outer ? adoptDeclarations(template, parent) : template, path, log, limits);
  if (source === undefined) {
    return;
  }
  if (!nested.outer && checkTypes(source, log)) {
    checkParameters(entry, nested, source, log);
  }
  checkNestedTemplates(compileProgram(source, signatures, log), check, depth + 1);
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
