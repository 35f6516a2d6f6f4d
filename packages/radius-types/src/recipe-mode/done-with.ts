import { jsonPointer } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { Done, HandlerContext } from "@rad/resources";
import { type OutputResource, outputsAsJson } from "../rendering/output-resources.ts";
import type { RecipeOutcome } from "./recipe-type.ts";

/** The resource as a recipe left it. @param context its status names the recipe */
export function doneWith(
  { properties, status }: Pick<HandlerContext, "properties" | "status">,
  outcome: RecipeOutcome & { readonly outputs: readonly OutputResource[] },
): Done {
  const { values, secretValues, outputs } = outcome;
  const hidden = Object.keys(secretValues).map((name) => [name, null] as const);
  const computedValues: JsonObject = { ...values, ...Object.fromEntries(hidden) };
  const results: JsonObject = {
    recipe: status["recipe"] ?? {},
    ...(outputs.length === 0 ? {} : { outputResources: outputsAsJson(outputs) }),
    ...(Object.keys(computedValues).length === 0 ? {} : { computedValues }),
  };
  const sealed = Object.entries(secretValues).map(
    ([name, value]) => [jsonPointer.of(["properties", "status", "computedValues", name]), value] as const,
  );
  return {
    kind: "done",
    properties: { ...properties, ...outcome.properties, status: results },
    secrets: Object.fromEntries(sealed),
  };
}
