import type { Module, ModuleFactory, ModuleParts } from "@rad/modules";

/** A module that could not be started; the server stops. */
export class ModuleError extends Error {
  override readonly name = "ModuleError";
  readonly code = "ModuleFailed";

  constructor(module: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The module '${module}' cannot be started: ${reason}`, { cause });
  }
}

export interface StartedModule {
  readonly name: string;
  readonly module: Module;
}

/** Starts one module after the other and gives each to `parts`, so that a failure stops those before it. */
export async function startModules(
  factories: readonly ModuleFactory[],
  given: ModuleParts,
  parts: AsyncDisposableStack,
): Promise<readonly StartedModule[]> {
  const started: StartedModule[] = [];
  for (const factory of factories) {
    const { name } = factory;
    try {
      const module = await factory.create({ ...given, log: given.log.child({ module: name }) });
      parts.defer(async () => module[Symbol.asyncDispose]?.());
      started.push({ name, module });
    } catch (error) {
      throw new ModuleError(name, error);
    }
  }
  return started;
}
