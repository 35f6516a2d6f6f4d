import type { DeclaredSymbol, Declarations } from "../semantics/index.ts";
import { numberOption } from "./configuration.ts";
import type { Rule } from "./rule.ts";

/** A rule about how many of something a template may have. */
export function maximumRule(
  what: "asserts" | "outputs" | "params" | "resources" | "variables",
  maximum: number,
  declared: (declarations: Declarations) => readonly DeclaredSymbol[],
): Rule {
  return {
    name: `max-${what}`,
    category: "DeploymentError",
    start: ({ model, options, report }) => {
      const symbols = declared(model.declarations);
      const limit = numberOption(options, "maximum", maximum);
      const [first] = symbols;
      if (first !== undefined && symbols.length > limit) {
        report(first.nameNode, `A template can have ${limit} ${what}, and this one has ${symbols.length}.`);
      }
    },
  };
}
