import { isJsonObject, type JsonValue } from "@rad/core";
import type { DeploymentInput } from "./deployment-input.ts";
import { memberOf } from "./request/request-shape.ts";

/**
 * Expressions of a nested template with outer scope belong to the deployment around it, which has put their values in
 * their place. Where it does not know one, there is still a text; here each of these becomes a parameter without a
 * value, so that nobody takes it for an expression of the nested template, or for what it says. `path` is that of the
 * template, `unknown` has the paths of the texts.
 */
export function withUnknownOuterTexts(
  input: DeploymentInput,
  path: string,
  unknown: readonly string[],
): DeploymentInput {
  const places = new Set(unknown.filter((at) => at.startsWith(`${path}.`)));
  if (places.size === 0) {
    return input;
  }
  const names = new Set<string>();
  const replace = (value: JsonValue, at: string): JsonValue => {
    if (typeof value === "string" && places.has(at)) {
      const name = value.replace(/^\[+|\]$/g, "");
      names.add(name);
      return `[parameters('${name.replaceAll("'", "''")}')]`;
    }
    if (Array.isArray(value)) {
      return value.map((item, index) => replace(item, `${at}[${index}]`));
    }
    if (!isJsonObject(value)) {
      return value;
    }
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replace(member, `${at}.${name}`)]));
  };
  const template = replace(input.template, path);
  if (!isJsonObject(template)) {
    return input;
  }
  const declared = memberOf(template, "parameters");
  const added = Object.fromEntries([...names].map((name) => [name, { type: "object" }]));
  const given = Object.fromEntries([...names].map((name) => [name, { unknown: true } as const]));
  return {
    ...input,
    template: { ...template, parameters: { ...(isJsonObject(declared) ? declared : {}), ...added } },
    parameters: { ...input.parameters, ...given },
  };
}
