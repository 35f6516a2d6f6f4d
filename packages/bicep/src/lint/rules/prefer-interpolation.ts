import { membersOf } from "../../types/index.ts";
import { isCallOf } from "../calls.ts";
import type { Rule } from "../rule.ts";

export const preferInterpolation: Rule = {
  name: "prefer-interpolation",
  category: "Style",
  start: ({ model, report }) => {
    const check = (node: Parameters<typeof model.callOf>[0]) => {
      if (!isCallOf(model, node, "sys", "concat") || node.args.length < 2 || model.hasParseErrors(node)) {
        return;
      }
      const isText = membersOf(model.typeOf(node)).every(({ kind }) => kind === "string" || kind === "stringLiteral");
      if (isText) {
        report(node, `Use string interpolation, '\${…}', instead of "concat".`);
      }
    };
    return { FunctionCall: check, InstanceFunctionCall: check };
  },
};
