import type { ObjectTarget } from "@rad/kubernetes";
import type { RecipeEngine } from "@rad/radius-types";
import type { StateReaders, TerraformInstaller } from "@rad/terraform";

/** Something that one module brings and others use once all modules are there. */
class Late<T> {
  readonly #name: string;
  #value: T | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  set(value: T): void {
    this.#value = value;
  }

  get isSet(): boolean {
    return this.#value !== undefined;
  }

  /** @throws Error while the module that brings it has not been created */
  get(): T {
    if (this.#value === undefined) {
      throw new Error(`The server has no ${this.#name}.`);
    }
    return this.#value;
  }
}

/** What modules of one server share. */
export class SharedParts {
  readonly installer = new Late<TerraformInstaller>("installer of Terraform");
  readonly target = new Late<() => Promise<ObjectTarget>>("target of Kubernetes objects");
  readonly stateReaders = new Late<StateReaders>("states of Terraform");
  readonly recipes = new Late<RecipeEngine>("recipe engine");
}
