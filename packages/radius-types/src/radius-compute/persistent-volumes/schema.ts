import { defineType } from "../../built-in-type.ts";
import { recipeBackedSchema, recipeBackedVersion } from "../../shapes/recipe-backed.ts";
import { choice, integer } from "../../shapes/schema-parts.ts";

export const persistentVolumes = defineType({
  name: "Radius.Compute/persistentVolumes",
  description: "Storage that outlives the containers that mount it.",
  versions: {
    [recipeBackedVersion]: () =>
      recipeBackedSchema(
        "The properties of a persistent volume.",
        {
          sizeInGib: integer("Its size in GiB."),
          allowedAccessModes: choice("How containers may mount it.", [
            "ReadWriteOnce",
            "ReadOnlyMany",
            "ReadWriteMany",
          ]),
        },
        ["sizeInGib"],
      ),
  },
});
