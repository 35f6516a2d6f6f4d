import type { JsonObject } from "@rad/core";
import type { ResourceHandler } from "../resource-handler.ts";
import type { TypePolicy } from "./type-policy.ts";

/** A resource type that comes with the program: its schemas, how the API treats it, and the code behind it. */
export interface TypeModule {
  /** `Applications.Core/containers` */
  readonly name: string;
  readonly description?: string;
  /**
   * Schemas of `properties` by api-version, made when they are first needed. Absent for code behind a type that somebody
   * else registers.
   */
  readonly versions?: Readonly<Record<string, () => JsonObject>>;
  /** That of user-defined types unless it says otherwise. */
  readonly policy?: TypePolicy;
  readonly handler?: ResourceHandler;
}

/** The types of all modules by name. */
export class TypeModules {
  readonly #modules: ReadonlyMap<string, TypeModule>;

  /** @throws TypeError when two modules bring the same type. */
  constructor(modules: readonly TypeModule[]) {
    const known = new Map<string, TypeModule>();
    for (const module of modules) {
      const key = module.name.toLowerCase();
      if (known.has(key)) {
        throw new TypeError(`The type '${module.name}' is there twice.`);
      }
      known.set(key, module);
    }
    this.#modules = known;
  }

  [Symbol.iterator](): Iterator<TypeModule> {
    return this.#modules.values();
  }

  /** @param name in any case. */
  get(name: string): TypeModule | undefined {
    return this.#modules.get(name.toLowerCase());
  }
}
