import { literalText } from "../../syntax/index.ts";
import type { Expression, Identifier, Skipped } from "../../syntax/index.ts";
import type { Rule } from "../rule.ts";

export const preferUnquotedPropertyNames: Rule = {
  name: "prefer-unquoted-property-names",
  category: "Style",
  start: ({ report }) => {
    const checkKey = ({ key }: { readonly key: Expression | Identifier | Skipped }) => {
      const name = plainName(key);
      if (name !== undefined) {
        report(key, `The property "${name}" needs no quotes.`);
      }
    };
    return {
      ObjectProperty: checkKey,
      ObjectTypeProperty: checkKey,
      ArrayAccess: (node) => {
        const name = plainName(node.index);
        if (name !== undefined) {
          report({ start: node.open.start, end: node.close.end }, `The property can be read with ".${name}".`);
        }
      },
    };
  },
};

/** The text of a string that could be written as a name. */
function plainName(node: Expression | Identifier | Skipped): string | undefined {
  const text = node.kind === "StringExpression" ? literalText(node) : undefined;
  return text !== undefined && identifier.test(text) && !literals.has(text) ? text : undefined;
}

const identifier = /^[a-zA-Z_][a-zA-Z0-9_]*$/u;
const literals: ReadonlySet<string> = new Set(["true", "false", "null"]);
