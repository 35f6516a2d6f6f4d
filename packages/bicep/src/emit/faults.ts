import type { Diagnostic } from "../diagnostic.ts";
import type { SemanticModel } from "../semantics/index.ts";
import { walk } from "../syntax/index.ts";
import type { Expression } from "../syntax/index.ts";

/** Which values of a parameters file cannot be evaluated, by their own fault or because of what they refer to. */
export class Faults {
  readonly #model: SemanticModel;
  readonly #known = new Map<Expression, boolean>();
  #misplacedSecrets: readonly Diagnostic[] | undefined;

  constructor(model: SemanticModel) {
    this.#model = model;
  }

  /** Nothing of a file that did not parse is evaluated. */
  affect(value: Expression): boolean {
    return this.#model.file.syntax.diagnostics.length > 0 || this.#isAffected(value);
  }

  #isAffected(value: Expression): boolean {
    let affected = this.#known.get(value);
    if (affected === undefined) {
      this.#known.set(value, false); // cuts cycles
      affected =
        this.#model.typeOf(value).kind === "error" || this.#hasMisplacedSecret(value) || this.#refersToAffected(value);
      this.#known.set(value, affected);
    }
    return affected;
  }

  /** A secret inside of a value has a type all the same, and nothing more could be said about it than was. */
  #hasMisplacedSecret(value: Expression): boolean {
    this.#misplacedSecrets ??= this.#model.diagnostics().filter((diagnostic) => diagnostic.code === "BCP351");
    return this.#misplacedSecrets.some(({ span }) => value.start <= span.start && span.end <= value.end);
  }

  #refersToAffected(value: Expression): boolean {
    let affected = false;
    walk(value, (node) => {
      const symbol = node.kind === "VariableAccess" ? this.#model.symbolOf(node) : undefined;
      if (symbol?.kind === "variable" || symbol?.kind === "parameterAssignment") {
        affected ||= this.#isAffected(symbol.declaration.value);
      }
    });
    return affected;
  }
}
