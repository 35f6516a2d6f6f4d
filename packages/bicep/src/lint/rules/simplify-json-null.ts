import { isCallOf } from "../calls.ts";
import { textOf } from "../objects.ts";
import type { Rule } from "../rule.ts";

export const simplifyJsonNull: Rule = {
  name: "simplify-json-null",
  category: "Style",
  start: ({ model, report }) => {
    const check = (node: Parameters<typeof model.callOf>[0]) => {
      if (isCallOf(model, node, "sys", "json") && textOf(node.args[0]?.expression)?.trim() === "null") {
        report(node, `Write "null" instead of "json('null')".`);
      }
    };
    return { FunctionCall: check, InstanceFunctionCall: check };
  },
};
