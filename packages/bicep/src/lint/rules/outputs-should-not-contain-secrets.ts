import type { Rule } from "../rule.ts";
import { possibleSecrets } from "../secrets.ts";

export const outputsShouldNotContainSecrets: Rule = {
  name: "outputs-should-not-contain-secrets",
  category: "Security",
  start: ({ model, report }) => {
    for (const { name, declaration } of model.declarations.outputs) {
      if (model.decoratorOf(declaration, "secure") !== undefined) {
        continue;
      }
      if (name.toLowerCase().includes("password")) {
        report(
          declaration,
          `Everybody who sees the deployment can read its outputs, and "${name}" looks like a secret.`,
        );
      }
      for (const { span, text } of possibleSecrets(model, declaration.value)) {
        report(span, `Everybody who sees the deployment can read its outputs, and this one has ${text}.`);
      }
    }
  },
};
