import { propertyAt, textOf } from "../objects.ts";
import type { Rule } from "../rule.ts";
import { possibleSecrets } from "../secrets.ts";

export const protectCommandToExecuteSecrets: Rule = {
  name: "protect-commandtoexecute-secrets",
  category: "Security",
  start: ({ model, report }) => {
    for (const symbol of model.declarations.allResources) {
      const { body, reference } = model.resourceOf(symbol);
      if (reference?.type.toLowerCase().endsWith("/extensions") !== true) {
        continue;
      }
      const publisher = textOf(propertyAt(body, "properties", "publisher")?.value)?.toLowerCase();
      const type = textOf(propertyAt(body, "properties", "type")?.value)?.toLowerCase();
      const command = propertyAt(body, "properties", "settings", "commandToExecute");
      if (command === undefined || !scriptExtensions.has(`${publisher} ${type}`)) {
        continue;
      }
      const [secret] = possibleSecrets(model, command.value);
      if (secret !== undefined) {
        report(command.key, `The command has ${secret.text}: put it under "protectedSettings".`);
      }
    }
  },
};

/** Publisher and type of the extensions that run scripts. */
const scriptExtensions: ReadonlySet<string> = new Set([
  "microsoft.azure.extensions customscript",
  "microsoft.compute customscriptextension",
  "microsoft.ostcextensions customscriptforlinux",
]);
