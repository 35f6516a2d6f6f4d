import { objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ResourceHandler } from "@rad/resources";
import { textMember } from "../rendering/members.ts";
import { refuseFor } from "../rendering/refusals.ts";

/** What a component of Dapr needs from its author, or must leave to a recipe. @throws ApiError with every problem. */
export function checkComponent(properties: JsonObject): void {
  const given = {
    metadata: Object.keys(objectMember(properties, "metadata")).length > 0,
    type: textMember(properties, "type") !== undefined,
    version: textMember(properties, "version") !== undefined,
  };
  const names = Object.entries(given);
  const problems =
    properties["resourceProvisioning"] === "manual"
      ? [
          ...(properties["recipe"] === undefined
            ? []
            : ["recipe details cannot be specified when resourceProvisioning is set to manual"]),
          ...names
            .filter(([, isGiven]) => !isGiven)
            .map(([name]) => `${name} must be specified when resourceProvisioning is set to manual`),
        ]
      : names
          .filter(([, isGiven]) => isGiven)
          .map(([name]) => `${name} cannot be specified when resourceProvisioning is set to recipe (default)`);
  refuseFor(problems, "error(s) found:", "heading");
}

/** What is checked without a cluster. */
export const componentHandler: ResourceHandler = { validate: ({ properties }) => checkComponent(properties) };
