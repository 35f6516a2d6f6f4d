import type { ResourceInstance } from "./resource-instance.ts";

/** What the text in a `dependsOn`, a `reference` or a `list…` stands for. */
export type Target =
  | { readonly kind: "instance"; readonly instance: ResourceInstance }
  | { readonly kind: "loop"; readonly name: string; readonly instances: readonly ResourceInstance[] };

/** Finds the resources of a template by all the ways in which templates name them. Letter case never counts. */
export class ResourceIndex {
  readonly #symbolic: boolean;
  readonly #byKey = new Map<string, ResourceInstance>();
  readonly #loops = new Map<string, Target & { readonly kind: "loop"; readonly instances: ResourceInstance[] }>();
  readonly #byId = new Map<string, ResourceInstance>();
  /** Without symbolic names: by name, by `type/name`, and by the part of an id after the last `/providers/`. */
  readonly #byName = new Map<string, ResourceInstance | "ambiguous">();

  readonly #failed = new Set<string>();

  constructor(symbolic: boolean) {
    this.#symbolic = symbolic;
  }

  /** A loop within the loop of a parent comes once for each round of that, and stands for all of them. */
  addLoop(name: string, instances: readonly ResourceInstance[]): void {
    const loop = this.#loops.get(name.toLowerCase()) ?? { kind: "loop", name, instances: [] };
    for (const instance of instances) {
      loop.instances.push(instance);
    }
    this.#loops.set(name.toLowerCase(), loop);
  }

  /** A resource that could not be worked out; its error is known, so that those who name it need not complain. */
  addFailed(key: string): void {
    this.#failed.add(key.toLowerCase());
  }

  hasFailed(text: string): boolean {
    return this.#failed.has(text.toLowerCase());
  }

  add(instance: ResourceInstance): void {
    this.#byKey.set(instance.key.toLowerCase(), instance);
    for (const id of instance.ids) {
      const key = id.toLowerCase();
      const known = this.#byId.get(key);
      // A resource that is deployed here comes before one that is only read.
      if (known === undefined || known.entry.existing) {
        this.#byId.set(key, instance);
      }
    }
    if (!this.#symbolic && instance.name !== undefined) {
      this.#addName(instance.name, instance);
      this.#addName(`${instance.entry.type}/${instance.name}`, instance);
      for (const id of instance.ids) {
        this.#addName(id.slice(id.lastIndexOf("/providers/") + "/providers/".length), instance);
      }
    }
  }

  find(text: string): Target | undefined {
    const key = text.toLowerCase();
    const loop = this.#loops.get(key);
    if (loop !== undefined) {
      return loop;
    }
    const named = this.#symbolic ? this.#byKey.get(key) : this.#byName.get(key);
    const instance = named === undefined || named === "ambiguous" ? this.#byId.get(key) : named;
    return instance === undefined ? undefined : { kind: "instance", instance };
  }

  /** Whether a name means several resources, so that none of them can be found by it. */
  isAmbiguous(text: string): boolean {
    return this.#byName.get(text.toLowerCase()) === "ambiguous";
  }

  #addName(name: string, instance: ResourceInstance): void {
    const key = name.toLowerCase();
    const known = this.#byName.get(key);
    this.#byName.set(key, known === undefined || known === instance ? instance : "ambiguous");
  }
}
