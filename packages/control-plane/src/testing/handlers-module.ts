import type { ModuleFactory } from "@rad/modules";
import type { ResourceHandler } from "@rad/resources";

/** A module with code behind types that a test registers. */
export function handlersModule(handlers: Readonly<Record<string, ResourceHandler>>): ModuleFactory {
  return {
    name: "handlers",
    create: () => ({ types: Object.entries(handlers).map(([name, handler]) => ({ name, handler })) }),
  };
}
