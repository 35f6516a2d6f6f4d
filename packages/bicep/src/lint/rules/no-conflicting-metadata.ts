import type { Decorated, Node } from "../../syntax/index.ts";
import { propertiesOf, propertyName } from "../../limits/index.ts";
import type { Rule } from "../rule.ts";

export const noConflictingMetadata: Rule = {
  name: "no-conflicting-metadata",
  category: "BestPractice",
  start: ({ model, report }) => {
    const check = (node: Node & Decorated) => {
      if (node.decorators.length < 2 || model.decoratorOf(node, "description") === undefined) {
        return;
      }
      const value = model.decoratorOf(node, "metadata")?.args[0]?.expression;
      for (const property of propertiesOf(value?.kind === "ObjectExpression" ? value : undefined)) {
        if (propertyName(property) === "description") {
          report(property.key, `The description is overruled by the decorator "description".`);
        }
      }
    };
    return {
      MetadataDeclaration: check,
      ParameterDeclaration: check,
      VariableDeclaration: check,
      TypeDeclaration: check,
      FunctionDeclaration: check,
      ResourceDeclaration: check,
      ModuleDeclaration: check,
      OutputDeclaration: check,
      ObjectTypeProperty: check,
      ObjectTypeAdditionalProperties: check,
      TupleTypeItem: check,
    };
  },
};
