import { text } from "./schema-parts.ts";
import type { Properties } from "./schema-parts.ts";

/** Where a resource belongs. */
export const scope = {
  environment: text("The resource id of the environment that this is deployed to."),
  application: text("The resource id of the application that this belongs to."),
} as const satisfies Properties;
