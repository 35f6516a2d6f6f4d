import { defineType } from "../../built-in-type.ts";
import { recipeBackedSchema, recipeBackedVersion } from "../../shapes/recipe-backed.ts";
import { list, map, object, readOnly, text } from "../../shapes/schema-parts.ts";

export const containerImages = defineType({
  name: "Radius.Compute/containerImages",
  description: "A container image that is built from source.",
  versions: {
    [recipeBackedVersion]: () =>
      recipeBackedSchema(
        "The properties of a container image.",
        {
          build: object(
            "How the image is built.",
            {
              source: text("Where the source is."),
              dockerfile: text("The path of the Dockerfile in the source."),
              platforms: list("The platforms to build for.", text("A platform such as `linux/amd64`.")),
              args: map("Build arguments.", text("The value of an argument.")),
            },
            ["source"],
          ),
          tag: text("The tag of the image."),
          imageReference: readOnly(text("The reference of the image that was built.")),
        },
        ["application", "build"],
      ),
  },
});
