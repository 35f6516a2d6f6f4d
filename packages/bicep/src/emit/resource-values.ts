import { resourceValueOf } from "../semantics/index.ts";
import type { Expression } from "../syntax/index.ts";
import { call, property, text } from "./arm-expression.ts";
import type { ArmExpression } from "./arm-expression.ts";
import type { Env } from "./env.ts";

/** `value.name` of a resource that was handed over as its id: everything but the id's own parts is looked up. */
export function resourceValueProperty(
  env: Env,
  target: Expression,
  name: string,
  isSafe: boolean,
): ArmExpression | undefined {
  const value = resourceValueOf(env.file.model, target);
  if (value === undefined) {
    return undefined;
  }
  const id = env.convert(target);
  const { type, version = "" } = value.reference;
  switch (name) {
    case "id":
      return id;
    case "name":
      return call("last", call("split", id, text("/")));
    case "type":
      return text(type);
    case "apiVersion":
      return text(version);
    default:
  }
  const full = call("reference", id, text(version), text("full"));
  if (isSafe) {
    return call("tryGet", full, text(name));
  }
  return name === "properties" ? call("reference", id, text(version)) : property(full, name);
}

/** `value.method(…)` of such a resource. */
export function resourceValueMethod(
  env: Env,
  target: Expression,
  name: string,
  args: readonly ArmExpression[],
): ArmExpression | undefined {
  const value = resourceValueOf(env.file.model, target);
  if (value === undefined) {
    return undefined;
  }
  const { version = "" } = value.reference;
  return call(name, env.convert(target), ...(args.length === 0 ? [text(version)] : args));
}
