import type { Rendering } from "../rendering/renderer.ts";
import { type GoldenCase, goldenContext, goldenResource, type GoldenType } from "./golden-type.ts";

/** What a type renders in a case that is not worth a file. */
export function renderCase(
  golden: GoldenType,
  properties: GoldenCase["properties"],
  more: Partial<GoldenCase> = {},
): Rendering {
  const one = { name: "", properties, ...more };
  return golden.renderer.render(goldenResource(golden, one), goldenContext(one));
}
