import type { PlaneModule } from "@rad/modules";

/** Plane types that every installation has. Those without code serve registered types only. */
export const builtInPlanes: readonly PlaneModule[] = [
  {
    name: "radius",
    type: "System.Radius/planes",
    schema: {
      type: "object",
      properties: { resourceProviders: { type: "object", additionalProperties: { type: "string" } } },
      required: ["resourceProviders"],
    },
    defaults: { resourceProviders: {} },
    initial: { local: {} },
  },
  {
    name: "azure",
    type: "System.Azure/planes",
    schema: {
      type: "object",
      properties: { url: { type: "string" } },
      required: ["url"],
    },
  },
  {
    name: "aws",
    type: "System.AWS/planes",
    schema: {},
    initial: { aws: {} },
  },
];
