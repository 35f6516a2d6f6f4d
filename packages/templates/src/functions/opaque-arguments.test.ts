import assert from "node:assert/strict";
import { it } from "node:test";
import { Budget } from "../budget.ts";
import { secretPointers } from "../plan/secret-pointers.ts";
import { TemplateError } from "../template-error.ts";
import { isOpaque, opaque } from "../values/opaque-value.ts";
import { type Argument, Lambda, type Value } from "../values/value.ts";
import { invoke } from "./function-call.ts";
import { pureFunctions } from "./pure-functions.ts";

const values: readonly Value[] = ["", "a", "b", 0n, 1n, true, null, [], ["a", "b"], new Map([["a", "b"]])];
const lambdas: readonly Argument[] = [
  new Lambda(1, ([first = null]) => first),
  new Lambda(1, () => true),
  new Lambda(2, ([first = null]) => first),
];

/** What stands in the place of a secret, whole and as part of a value. */
const shapes: readonly ((secret: Value) => Value)[] = [
  (secret) => secret,
  (secret) => ["a", secret],
  (secret) => new Map([["a", secret]]),
];

for (const definition of new Set(pureFunctions.values())) {
  it(`${definition.name} tells nothing of an opaque argument`, () => {
    const call = (args: readonly Argument[]): Value | undefined => {
      try {
        return invoke(definition, { count: args.length, read: (index) => args[index] ?? null }, new Budget());
      } catch (error) {
        assert.ok(error instanceof TemplateError || error instanceof TypeError, String(error));
        return undefined;
      }
    };
    const most = Math.min(definition.maxArgs, Math.max(definition.minArgs, 2), 3);
    for (let count = Math.max(definition.minArgs, 1); count <= most; count += 1) {
      for (let hole = 0; hole < count; hole += 1) {
        for (const others of choices(count - 1)) {
          for (const shape of shapes) {
            const withHole = (secret: Value): Argument[] => others.toSpliced(hole, 0, shape(secret));
            const blind = call(withHole(opaque()));
            const results = blind === undefined ? [] : values.map((value) => call(withHole(value)));
            const known = results.filter((result) => result !== undefined);
            const pointers = known.map((result) => JSON.stringify(secretPointers(result, blind ?? null, new Budget())));

            const where = `${definition.name}, argument ${hole}`;
            assert.ok(new Set(pointers).size <= 1, `${where}: what is opaque depends on the secret`);
            assert.ok(isOpaque(blind) || !pointers.includes('[""]'), `${where}: a value that depends on the secret`);
          }
        }
      }
    }
  });
}

function choices(count: number): readonly (readonly Argument[])[] {
  const pool = count > 1 ? [...values.slice(1, 6), ...values.slice(8), ...lambdas] : [...values, ...lambdas];
  return count === 0 ? [[]] : choices(count - 1).flatMap((before) => pool.map((next) => [...before, next]));
}
