import { propertyName } from "../../limits/index.ts";
import { isInResource } from "../objects.ts";
import type { Rule } from "../rule.ts";

export const adminUsernameShouldNotBeLiteral: Rule = {
  name: "adminusername-should-not-be-literal",
  category: "Security",
  start: ({ model, report }) => {
    // One search through the text first: most files have no such property.
    if (!mayNameIt.test(model.file.syntax.text)) {
      return undefined;
    }
    return {
      ObjectProperty: (node) => {
        if (propertyName(node)?.toLowerCase() !== "adminusername" || !isInResource(model, node)) {
          return;
        }
        if (model.typeOf(node.value).kind === "stringLiteral") {
          report(
            node.value,
            "The name of an administrator should not be the same in every deployment; use a parameter.",
          );
        }
      },
    };
  },
};

/** In plain letters, or perhaps with letters written as escapes. */
const mayNameIt = /adminusername|\\u\{/i;
