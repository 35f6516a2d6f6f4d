import type { Budget } from "../budget.ts";
import type { Pausing } from "../pausing.ts";
import { getMember } from "../values/members.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../values/value.ts";
import type { ProblemLog } from "./plan-problem.ts";
import type { TemplateSource } from "./template-source.ts";
import { TypeDefinitions } from "./type-node.ts";

/**
 * Finds what is wrong with the types that a template declares, also those that no value is checked against: the type of
 * an output, for one, would show only when everything is deployed. Says whether they are all in order.
 */
export function* checkTypes(source: TemplateSource, log: ProblemLog, budget: Budget): Pausing<boolean> {
  const before = log.failures;
  const check = new TypeNodeCheck(new TypeDefinitions(source.definitions), log, budget);
  yield* check.members(source.definitions, `${source.path}.definitions`);
  for (const { node, path } of [...source.parameters.values(), ...source.outputs.values()]) {
    yield* check.node(node, path);
  }
  for (const { parameters, output, path } of source.functions.values()) {
    for (const parameter of parameters) {
      yield* check.node(parameter.node, parameter.path);
    }
    yield* check.node(output, `${path}.output`);
  }
  return log.failures === before;
}

/** Some fifteen members are looked for in each. */
const nodeSteps = 10;

/** Looks at each node once: what a reference leads to is among the definitions. */
class TypeNodeCheck {
  readonly #definitions: TypeDefinitions;
  readonly #log: ProblemLog;
  readonly #budget: Budget;

  constructor(definitions: TypeDefinitions, log: ProblemLog, budget: Budget) {
    this.#definitions = definitions;
    this.#log = log;
    this.#budget = budget;
  }

  *node(node: Value, path: string): Pausing<void> {
    this.#budget.spend(nodeSteps);
    if (this.#budget.isDue) {
      yield this.#budget;
    }
    if (this.#log.isFull) {
      return; // finding more of what is not told takes time
    }
    if (!isObject(node)) {
      this.#log.add("InvalidShape", path, "A type must be an object.");
      return;
    }
    this.#log.attempt(path, () => this.#definitions.typeOf(this.#definitions.resolve(node)));
    this.#constraints(node, path);
    const at = (name: string): readonly [Value | undefined, string] => [getMember(node, name), `${path}.${name}`];
    yield* this.members(...at("properties"));
    yield* this.#nodeOrFlag(...at("additionalProperties"));
    yield* this.#nodeOrFlag(...at("items"));
    yield* this.#list(...at("prefixItems"));
    yield* this.#discriminator(...at("discriminator"));
  }

  *members(nodes: Value | undefined, path: string): Pausing<void> {
    if (nodes === undefined) {
      return;
    }
    if (!isObject(nodes)) {
      this.#log.add("InvalidShape", path, "Types by name must be an object.");
      return;
    }
    for (const [name, node] of nodes) {
      yield* this.node(node, `${path}.${name}`);
    }
  }

  #constraints(node: ObjectValue, path: string): void {
    const expect = (name: string, isRight: (value: Value) => boolean, what: string): void => {
      const value = getMember(node, name);
      if (value !== undefined && !isRight(value)) {
        this.#log.add("InvalidShape", `${path}.${name}`, `"${name}" must be ${what}.`);
      }
    };
    const isInteger = (value: Value): boolean => typeof value === "bigint";
    expect("allowedValues", isArray, "an array");
    expect("nullable", (value) => typeof value === "boolean", "true or false");
    for (const name of ["minLength", "maxLength"]) {
      expect(name, (value) => typeof value === "bigint" && value >= 0n, "an integer of 0 or more");
    }
    expect("minValue", isInteger, "an integer");
    expect("maxValue", isInteger, "an integer");
  }

  *#nodeOrFlag(value: Value | undefined, path: string): Pausing<void> {
    if (value !== undefined && typeof value !== "boolean") {
      yield* this.node(value, path);
    }
  }

  *#list(nodes: Value | undefined, path: string): Pausing<void> {
    if (nodes === undefined) {
      return;
    }
    if (!isArray(nodes)) {
      this.#log.add("InvalidShape", path, "The types of the first items must be an array.");
      return;
    }
    for (const [index, node] of nodes.entries()) {
      yield* this.node(node, `${path}[${index}]`);
    }
  }

  *#discriminator(value: Value | undefined, path: string): Pausing<void> {
    if (value === undefined) {
      return;
    }
    const mapping = isObject(value) ? getMember(value, "mapping") : undefined;
    if (!isObject(value) || typeof getMember(value, "propertyName") !== "string" || mapping === undefined) {
      this.#log.add("InvalidShape", path, "A discriminator needs a propertyName and a mapping.");
      return;
    }
    yield* this.members(mapping, `${path}.mapping`);
  }
}
