import { propertyAt, textOf } from "../objects.ts";
import type { Rule } from "../rule.ts";

export const useStableVmImage: Rule = {
  name: "use-stable-vm-image",
  category: "BestPractice",
  start: ({ model, report }) => {
    for (const symbol of model.declarations.allResources) {
      const { body } = model.resourceOf(symbol);
      const image = propertyAt(body, "properties", "storageProfile", "imageReference")?.value;
      for (const name of ["offer", "sku", "version"]) {
        const value = propertyAt(image, name)?.value;
        if (value !== undefined && textOf(value)?.toLowerCase().includes("preview") === true) {
          report(value, "Machines should not be made from a preview image.");
        }
      }
    }
  },
};
