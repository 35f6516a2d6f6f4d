import type { CallExpression, Expression } from "../expressions/expression.ts";
import type { Compiled } from "./compiled.ts";
import { isListFunction } from "./function-kinds.ts";
import type { Program } from "./program.ts";

export interface SecretSources {
  readonly program: Program;
  /** By lower-case name; whether a parameter of that name is secret in itself. */
  readonly isSecretParameter: (key: string) => boolean;
  readonly hasSecretExtensions: boolean;
}

/**
 * Tells without evaluating anything which expressions can reach a secret: through parameters, variables, the
 * configuration of extensions, or an action such as `listKeys`. Everything else needs no second evaluation.
 */
export class SecretReach {
  readonly #sources: SecretSources;
  readonly #documents = new WeakMap<Compiled, boolean>();
  readonly #variables = new Map<string, boolean>();

  constructor(sources: SecretSources) {
    this.#sources = sources;
  }

  reaches(compiled: Compiled): boolean {
    const known = this.#documents.get(compiled);
    if (known !== undefined) {
      return known;
    }
    const found = this.#inDocument(compiled);
    this.#documents.set(compiled, found);
    return found;
  }

  #inDocument(compiled: Compiled): boolean {
    switch (compiled.kind) {
      case "literal":
        return false;
      case "expression":
        return this.#inExpression(compiled.expression);
      case "array":
        return compiled.items.some((item) => this.#inDocument(item));
      case "object":
        return compiled.members.some((member) => {
          if (member.kind === "loop") {
            return this.#inDocument(member.count) || this.#inDocument(member.input);
          }
          return (typeof member.name !== "string" && this.#inDocument(member.name)) || this.#inDocument(member.value);
        });
      default:
        return compiled satisfies never;
    }
  }

  #inExpression(expression: Expression): boolean {
    switch (expression.kind) {
      case "string":
      case "integer":
        return false;
      case "property":
        return this.#inExpression(expression.base);
      case "index":
        return this.#inExpression(expression.base) || this.#inExpression(expression.index);
      case "call":
        return this.#inCall(expression);
      default:
        return expression satisfies never;
    }
  }

  /** The functions of a template see nothing but their arguments. */
  #inCall(call: CallExpression): boolean {
    const name = call.name.toLowerCase();
    const { program, isSecretParameter, hasSecretExtensions } = this.#sources;
    const shared = program.shared.sharedBy(call);
    if (shared !== undefined) {
      return this.#inExpression(shared);
    }
    if (isListFunction(name) || name === "invokeresourcemethod" || (name === "extensions" && hasSecretExtensions)) {
      return true;
    }
    if (name === "parameters" || name === "variables") {
      const [named] = call.args;
      const declared = name === "parameters" ? program.source.parameters : program.variables;
      // A name that is computed may be any of them.
      const keys = named?.kind === "string" ? [named.value.toLowerCase()] : [...declared.keys()];
      const isSecret = name === "parameters" ? isSecretParameter : (key: string): boolean => this.#inVariable(key);
      return keys.some(isSecret) || call.args.some((arg) => this.#inExpression(arg));
    }
    return call.args.some((arg) => this.#inExpression(arg));
  }

  #inVariable(key: string): boolean {
    const known = this.#variables.get(key);
    if (known !== undefined) {
      return known;
    }
    this.#variables.set(key, false); // variables that need one another fail anyway
    const variable = this.#sources.program.variables.get(key);
    const found =
      variable !== undefined &&
      (this.reaches(variable.value) || (variable.count !== undefined && this.reaches(variable.count)));
    this.#variables.set(key, found);
    return found;
  }
}
