import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@rad/core";
import type { Module, ModuleFactory, ModuleParts } from "@rad/modules";
import { StoreError } from "@rad/store";

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

/**
 * Starts one module after the other and gives each to `parts`, so that a failure stops those before it.
 * @param graceMs how long a module may take to stop; a module that takes longer or fails is logged, and the others stop as usual
 * @throws ModuleError, and `StoreError` `Unavailable` as it is: the same may work when the database is back.
 */
export async function startModules(
  factories: readonly ModuleFactory[],
  given: ModuleParts,
  parts: AsyncDisposableStack,
  graceMs: number,
): Promise<readonly StartedModule[]> {
  const started: StartedModule[] = [];
  for (const factory of factories) {
    const { name } = factory;
    try {
      const log = given.log.child({ module: name });
      const module = await factory.create({ ...given, log });
      parts.defer(() => stopModule(module, log, graceMs));
      started.push({ name, module });
    } catch (error) {
      throw error instanceof StoreError && error.code === "Unavailable" ? error : new ModuleError(name, error);
    }
  }
  return started;
}

async function stopModule(module: Module, log: Logger, graceMs: number): Promise<void> {
  const timer = new AbortController();
  const overdue = sleep(graceMs, "overdue", { signal: timer.signal }).catch(() => "stopped");
  try {
    const stopped = (async () => await module[Symbol.asyncDispose]?.())();
    if ((await Promise.race([stopped, overdue])) === "overdue") {
      log.error("the module did not stop in time", { graceMs });
    }
  } catch (error) {
    log.error("the module failed to stop", { error });
  } finally {
    timer.abort();
  }
}
