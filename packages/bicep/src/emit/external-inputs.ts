import { printJson } from "@rad/templates";
import type { Value } from "@rad/templates";
import type { AnyCall } from "./loaded-files.ts";

/** A value that is known only when a deployment starts, as a parameters file asks for it. */
export interface ExternalInput {
  readonly kind: string;
  readonly config: Value | undefined;
}

/** The external inputs of a parameters file; equal ones share a key. */
export class ExternalInputs {
  readonly #read: (call: AnyCall) => ExternalInput;
  readonly #keys = new Map<string, string>();
  readonly #inputs = new Map<string, ExternalInput>();

  constructor(read: (call: AnyCall) => ExternalInput) {
    this.#read = read;
  }

  keyOf(call: AnyCall): string {
    const input = this.#read(call);
    const identity = printJson([input.kind, ...(input.config === undefined ? [] : [input.config])]);
    let key = this.#keys.get(identity);
    if (key === undefined) {
      key = `${input.kind.replaceAll(/\W/g, "_")}_${this.#keys.size}`;
      this.#keys.set(identity, key);
      this.#inputs.set(key, input);
    }
    return key;
  }

  /** What a file defines, by key. */
  get definitions(): ReadonlyMap<string, ExternalInput> {
    return this.#inputs;
  }
}
