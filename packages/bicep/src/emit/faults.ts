import type { Diagnostic } from "../diagnostic.ts";
import type { SemanticModel } from "../semantics/index.ts";
import { walk } from "../syntax/index.ts";
import type { ParameterAssignment, VariableDeclaration } from "../syntax/index.ts";

/** Which values of a parameters file cannot be evaluated, by their own fault or because of what they refer to. */
export class Faults {
  readonly #model: SemanticModel;
  readonly #known = new Map<ParameterAssignment | VariableDeclaration, boolean>();
  #misplacedSecrets: readonly Diagnostic[] | undefined;

  constructor(model: SemanticModel) {
    this.#model = model;
  }

  /** Nothing of a file that did not parse is evaluated. */
  affect(declaration: ParameterAssignment | VariableDeclaration): boolean {
    return this.#model.file.syntax.diagnostics.length > 0 || this.#isAffected(declaration);
  }

  #isAffected(declaration: ParameterAssignment | VariableDeclaration): boolean {
    let affected = this.#known.get(declaration);
    if (affected === undefined) {
      this.#known.set(declaration, false); // cuts cycles
      affected =
        this.#model.typeOf(declaration.value).kind === "error" ||
        this.#hasMisplacedSecret(declaration) ||
        this.#refersToAffected(declaration);
      this.#known.set(declaration, affected);
    }
    return affected;
  }

  /** A secret inside of a value has a type all the same, and nothing more could be said about it than was. */
  #hasMisplacedSecret({ value }: ParameterAssignment | VariableDeclaration): boolean {
    this.#misplacedSecrets ??= this.#model.diagnostics().filter((diagnostic) => diagnostic.code === "BCP351");
    return this.#misplacedSecrets.some(({ span }) => value.start <= span.start && span.end <= value.end);
  }

  #refersToAffected(declaration: ParameterAssignment | VariableDeclaration): boolean {
    let affected = false;
    walk(declaration.value, (node) => {
      const symbol = node.kind === "VariableAccess" ? this.#model.symbolOf(node) : undefined;
      if (symbol?.kind === "variable" || symbol?.kind === "parameterAssignment") {
        affected ||= this.#isAffected(symbol.declaration);
      }
    });
    return affected;
  }
}
