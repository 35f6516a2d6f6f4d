import type { Module, ModuleFactory } from "@rad/modules";

/** The planes that every installation has. */
const planes: ModuleFactory = {
  name: "planes",
  create: (): Module => ({
    planes: [
      { id: "/planes/radius/local", properties: { resourceProviders: {} } },
      { id: "/planes/aws/aws", properties: {} },
    ],
  }),
};

/** What `rad server` and the image run. */
export function defaultModules(): readonly ModuleFactory[] {
  return [planes];
}
