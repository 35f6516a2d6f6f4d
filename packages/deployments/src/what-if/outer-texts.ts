import { isJsonObject, type JsonObject, type JsonValue } from "@rad/core";
import { isExpressionText } from "@rad/templates";
import type { DeploymentInput } from "../deployment-input.ts";
import { memberOf } from "../request/request-shape.ts";

/**
 * Expressions of a nested template with outer scope belong to the deployment around it, which has put their values in
 * their place: where it does not know one, that is the text, escaped. Here each such text becomes a parameter without a
 * value, so that nobody takes it for what it says.
 */
export function withUnknownOuterTexts(input: DeploymentInput): DeploymentInput {
  const names = new Set<string>();
  const replace = (value: JsonValue): JsonValue => {
    if (typeof value === "string" && value.startsWith("[[") && isExpressionText(value.slice(1))) {
      const name = value.slice(2, -1);
      names.add(name);
      return `[parameters('${name.replaceAll("'", "''")}')]`;
    }
    if (Array.isArray(value)) {
      return value.map(replace);
    }
    return isJsonObject(value) ? replaceIn(value) : value;
  };
  const replaceIn = (object: JsonObject): JsonObject => {
    const members = Object.entries(object).map(([name, member]) => {
      const isForeign = name.toLowerCase() === "template" && hasInnerScope(object);
      return [name, isForeign ? member : replace(member)] as const;
    });
    return Object.fromEntries(members);
  };
  if (!isJsonObject(input.template)) {
    return input;
  }
  const template = replaceIn(input.template);
  const declared = memberOf(template, "parameters");
  const added = Object.fromEntries([...names].map((name) => [name, { type: "object" }]));
  const given = Object.fromEntries([...names].map((name) => [name, { unknown: true } as const]));
  return {
    ...input,
    template: { ...template, parameters: { ...(isJsonObject(declared) ? declared : {}), ...added } },
    parameters: { ...input.parameters, ...given },
  };
}

function hasInnerScope(properties: JsonObject): boolean {
  const options = memberOf(properties, "expressionEvaluationOptions");
  const scope = isJsonObject(options) ? memberOf(options, "scope") : undefined;
  return typeof scope === "string" && scope.toLowerCase() === "inner";
}
