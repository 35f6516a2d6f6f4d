import { provisioning } from "../shapes/recipe.ts";
import { resourceReferences } from "../shapes/references.ts";
import { map, object, readOnly, text } from "../shapes/schema-parts.ts";
import type { Properties } from "../shapes/schema-parts.ts";
import { scope } from "../shapes/scope.ts";
import { resourceStatus } from "../shapes/status.ts";

const metadataValue = object("A value: either `value` or `secretKeyRef`.", {
  value: text("The value in clear."),
  secretKeyRef: object(
    "A value that Dapr reads from a secret store.",
    { name: text("The name of the secret."), key: text("The key in the secret.") },
    ["name", "key"],
  ),
});

/** What every Dapr component has. */
export function daprComponent(): Properties {
  return {
    ...scope,
    componentName: readOnly(text("The name of the Dapr component.")),
    type: text("The Dapr component type, such as `state.redis`."),
    version: text("The version of the component type."),
    metadata: map("The component's settings by name.", metadataValue),
    ...provisioning(),
    status: resourceStatus(),
  };
}

/** For components that read secrets and stand on other resources. */
export function daprBackedComponent(): Properties {
  return {
    ...daprComponent(),
    auth: object("How secrets of the component are found.", {
      secretStore: text("The name of the Dapr secret store that holds them."),
    }),
    resources: resourceReferences(),
  };
}
