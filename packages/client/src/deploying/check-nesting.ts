import type { JsonObject, JsonValue } from "@rad/core";
import { DeployingError } from "./deploying-error.ts";

/** No control plane can be configured to take more, and from some thousands on not even copying works. */
const maxLevels = 1_000;

/** @throws DeployingError `InvalidTemplate` */
export function checkNesting(template: JsonObject): void {
  let level: JsonValue[] = [template];
  for (let levels = 0; level.length > 0; levels += 1) {
    if (levels > maxLevels) {
      throw new DeployingError("InvalidTemplate", `The template is nested more than ${maxLevels} levels deep.`);
    }
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  }
}
