import { nearestName } from "@rad/core";
import { Budget } from "../budget.ts";
import { TemplateError } from "../template-error.ts";
import type { Argument, Value } from "../values/value.ts";
import { accessFunctions } from "./access.ts";
import { arrayFunctions } from "./arrays.ts";
import { cidrFunctions } from "./cidr.ts";
import { collectionFunctions } from "./collections.ts";
import { dateFunctions } from "./dates.ts";
import { encodingFunctions } from "./encodings.ts";
import { define, invoke, type FunctionDefinition } from "./function-call.ts";
import { hashFunctions } from "./hashes.ts";
import { lambdaFunctions } from "./lambdas.ts";
import { logicFunctions } from "./logic.ts";
import { numberFunctions } from "./numbers.ts";
import { objectFunctions } from "./objects.ts";
import { createResourceIdFunctions } from "./resource-ids.ts";
import { stringFunctions } from "./strings.ts";
import { uriFunctions } from "./uris.ts";

const failFunction = define("fail", 1, (call) => {
  throw new TemplateError("UserFailure", call.string(0));
});

/** Every function whose result depends on its arguments alone, by its name in lower case. */
export const pureFunctions: ReadonlyMap<string, FunctionDefinition> = functionTable([
  ...logicFunctions,
  ...numberFunctions,
  ...stringFunctions,
  ...encodingFunctions,
  ...uriFunctions,
  ...collectionFunctions,
  ...arrayFunctions,
  ...objectFunctions,
  ...accessFunctions,
  ...lambdaFunctions,
  ...dateFunctions,
  ...cidrFunctions,
  ...hashFunctions,
  ...createResourceIdFunctions(),
  failFunction,
]);

/** Keyed for look-up; a later definition takes the place of an earlier one. */
export function functionTable(definitions: readonly FunctionDefinition[]): ReadonlyMap<string, FunctionDefinition> {
  return new Map(definitions.map((definition) => [definition.name.toLowerCase(), definition]));
}

/** Functions by lower-case name. */
export type FunctionLookup = Pick<ReadonlyMap<string, FunctionDefinition>, "get" | "keys">;

/** Looks among its own functions before those below. They are made when somebody asks: most expressions need none. */
export function functionLayer(
  make: () => readonly FunctionDefinition[],
  below: FunctionLookup | undefined,
): FunctionLookup {
  let own: FunctionLookup | undefined;
  const table = (): FunctionLookup => (own ??= functionTable(make()));
  return {
    get: (name) => table().get(name) ?? below?.get(name),
    keys: () => [...(below?.keys() ?? []), ...table().keys()].values(),
  };
}

/** Calls a pure function with values at hand. Throws `TemplateError` and nothing else. */
export function callFunction(name: string, args: readonly Argument[], budget: Budget = new Budget()): Value {
  const definition = pureFunctions.get(name.toLowerCase());
  if (definition === undefined) {
    throw unknownFunction(name, pureFunctions.keys());
  }
  return invoke(definition, { count: args.length, read: (index) => args[index] ?? null }, budget);
}

export function unknownFunction(name: string, known: Iterable<string>): TemplateError {
  const nearest = nearestName(name, known);
  const spelling = nearest === undefined ? undefined : (pureFunctions.get(nearest)?.name ?? nearest);
  const hint = spelling === undefined ? "" : ` Did you mean "${spelling}"?`;
  return new TemplateError("UnknownFunction", `There is no function "${name}".${hint}`);
}
