import type { JsonObject } from "@rad/core";
import type { ResourceHandler } from "@rad/resources";
import { computedSecrets } from "../rendering/computed-secrets.ts";
import { refuseFor } from "../rendering/refusals.ts";
import { knownValues, type PortableType } from "./portable-type.ts";

/** What such a type does without a cluster: it checks manual values, and gives its secrets out. */
export function portableHandler(type: PortableType): ResourceHandler {
  return {
    validate: ({ properties }) => checkManual(type, properties),
    actions: {
      listSecrets: async ({ properties, status, secrets }) => {
        const sealed = await secrets();
        const { secretValues } =
          status["recipe"] === undefined
            ? knownValues(type, properties, sealed)
            : { secretValues: computedSecrets(sealed) };
        return Object.fromEntries(type.secrets.map((name) => [name, secretValues[name] ?? ""]));
      },
    },
  };
}

/** @throws ApiError with every value that the author has to give. */
export function checkManual(type: PortableType, properties: JsonObject): void {
  if (properties["resourceProvisioning"] !== "manual") {
    return;
  }
  const { missing } = knownValues(type, properties, {});
  refuseFor(
    missing.map((name) => `${name} must be specified when resourceProvisioning is set to manual`),
    "multiple errors were found:",
    "several",
  );
}
