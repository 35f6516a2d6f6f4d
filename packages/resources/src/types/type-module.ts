import type { JsonObject } from "@rad/core";
import type { ResourceHandler } from "../resource-handler.ts";
import { type TypePolicy, userDefinedPolicy } from "./type-policy.ts";

/** A resource type that comes with the program: its schemas, how the API treats it, and the code behind it. */
export interface TypeModule {
  /** With its namespace: `Applications.Core/containers`. */
  readonly name: string;
  readonly description?: string;
  readonly defaultApiVersion?: string;
  readonly capabilities?: readonly string[];
  /**
   * Schemas of `properties` by api-version; `{}` where anything goes. Absent for code behind a type that is
   * registered elsewhere.
   */
  readonly versions?: Readonly<Record<string, JsonObject>>;
  /** That of its namespace unless it says otherwise. */
  readonly policy?: TypePolicy;
  readonly handler?: ResourceHandler;
}

/** The types of all modules by name, and the policies of namespaces. */
export class TypeModules {
  readonly #modules = new Map<string, TypeModule>();
  readonly #policies: ReadonlyMap<string, TypePolicy>;

  /**
   * A later module may put other code or another policy behind a type.
   * @param policies by namespace: how those of them are treated that say nothing themselves.
   * @throws TypeError when two modules describe the same type.
   */
  constructor(modules: readonly TypeModule[], policies: readonly (readonly [string, TypePolicy])[] = []) {
    this.#policies = new Map(policies.map(([namespace, policy]) => [namespace.toLowerCase(), policy]));
    for (const module of modules) {
      const key = module.name.toLowerCase();
      const known = this.#modules.get(key);
      if (known?.versions !== undefined && module.versions !== undefined) {
        throw new TypeError(`The type '${module.name}' is described twice.`);
      }
      // Spreading would build the schemas, which are lazy.
      this.#modules.set(
        key,
        known === undefined ? module : Object.assign(Object.create(known), module, { name: known.name }),
      );
    }
  }

  [Symbol.iterator](): Iterator<TypeModule> {
    return this.#modules.values();
  }

  /** @param name in any case. */
  get(name: string): TypeModule | undefined {
    return this.#modules.get(name.toLowerCase());
  }

  /** A type that a client registers is treated alike in every namespace. @param name in any case, of whatever type. */
  policyFor(name: string): TypePolicy {
    const module = this.get(name);
    if (module === undefined) {
      return userDefinedPolicy;
    }
    const namespace = name.slice(0, name.indexOf("/")).toLowerCase();
    return module.policy ?? this.#policies.get(namespace) ?? userDefinedPolicy;
  }
}
