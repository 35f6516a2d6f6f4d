import { propertyName } from "../../limits/index.ts";
import { isInResource } from "../objects.ts";
import type { Rule } from "../rule.ts";

export const adminUsernameShouldNotBeLiteral: Rule = {
  name: "adminusername-should-not-be-literal",
  category: "Security",
  start: ({ model, report }) => ({
    ObjectProperty: (node) => {
      const name = propertyName(node);
      if (name?.length !== adminUsername.length || name.toLowerCase() !== adminUsername) {
        return;
      }
      if (!isInResource(model, node)) {
        return;
      }
      if (model.typeOf(node.value).kind === "stringLiteral") {
        report(node.value, "The name of an administrator should not be the same in every deployment; use a parameter.");
      }
    },
  }),
};

const adminUsername = "adminusername";
