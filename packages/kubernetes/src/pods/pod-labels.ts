import type { Pod } from "../views.ts";

/** The Radius resource that a pod belongs to; for other pods, the name up to the first dash. */
export function resourceOf({ metadata }: Pod): string {
  return metadata.labels?.["radapp.io/resource"] ?? metadata.name.split("-", 1)[0] ?? metadata.name;
}
