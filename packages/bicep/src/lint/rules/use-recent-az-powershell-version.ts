import { propertyAt, textOf } from "../objects.ts";
import type { Rule } from "../rule.ts";

export const useRecentAzPowerShellVersion: Rule = {
  name: "use-recent-az-powershell-version",
  category: "BestPractice",
  start: ({ model, options, report }) => {
    const option = options.get("minimumVersion");
    const minimum = typeof option === "string" ? option : "11.0";
    for (const symbol of model.declarations.allResources) {
      const { body, reference } = model.resourceOf(symbol);
      const isScript = reference?.type.toLowerCase() === "microsoft.resources/deploymentscripts";
      if (!isScript || textOf(propertyAt(body, "kind")?.value)?.toLowerCase() !== "azurepowershell") {
        continue;
      }
      const version = textOf(propertyAt(body, "properties", "azPowerShellVersion")?.value);
      if (version !== undefined && isBelow(version, minimum)) {
        report(symbol.declaration, `Version ${version} of Azure PowerShell is old; use ${minimum} or later.`);
      }
    }
  },
};

function isBelow(version: string, minimum: string): boolean {
  const left = numbersOf(version);
  const right = numbersOf(minimum);
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) {
      return difference < 0;
    }
  }
  return false;
}

function numbersOf(version: string): readonly number[] {
  return version.split(".").map((part) => Number.parseInt(part, 10) || 0);
}
