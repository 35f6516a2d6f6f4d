import type { ModuleFactory } from "@rad/modules";
import type { ResourceHandler } from "@rad/resources";

/** What a client registers is asynchronous; this type is the program's own, with the policy of its namespace. */
const synchronous = { "Radius.Core/settings": {} };

/** A module with code behind types that a test registers. */
export function handlersModule(handlers: Readonly<Record<string, ResourceHandler>>): ModuleFactory {
  const all = Object.entries<ResourceHandler>({ ...synchronous, ...handlers });
  return {
    name: "handlers",
    create: () => ({ types: all.map(([name, handler]) => ({ name, handler })) }),
  };
}
