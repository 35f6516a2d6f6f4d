import type { Expression } from "../syntax/index.ts";
import type { ResourceReference } from "../types/index.ts";
import { call, property, text } from "./arm-expression.ts";
import type { ArmExpression } from "./arm-expression.ts";
import type { Env } from "./env.ts";

/** `parameter.name` of a parameter that is a resource: what is handed over is its id, and the rest is looked up. */
export function resourceParameterProperty(
  env: Env,
  target: Expression,
  name: string,
  isSafe: boolean,
): ArmExpression | undefined {
  const reference = resourceOfParameter(env, target);
  if (reference === undefined) {
    return undefined;
  }
  const id = env.convert(target);
  const version = text(reference.version ?? "");
  switch (name) {
    case "id":
      return id;
    case "name":
      return call("last", call("split", id, text("/")));
    case "type":
      return text(reference.type);
    case "apiVersion":
      return version;
    default:
  }
  const full = call("reference", id, version, text("full"));
  if (isSafe) {
    return call("tryGet", full, text(name));
  }
  return name === "properties" ? call("reference", id, version) : property(full, name);
}

function resourceOfParameter(env: Env, node: Expression): ResourceReference | undefined {
  const { model } = env.file;
  const symbol = node.kind === "VariableAccess" ? model.symbolOf(node) : undefined;
  const type = symbol?.kind === "parameter" ? model.typeOfSymbol(symbol) : undefined;
  return type?.kind === "resource" ? type.reference : undefined;
}
