import type { SemanticModel } from "../semantics/index.ts";
import { walk } from "../syntax/index.ts";
import type { Expression, FunctionCall, InstanceFunctionCall } from "../syntax/index.ts";
import { FunctionFlags, valueOfLiteral } from "../types/index.ts";
import type { FileLoader, FileRequest, LiteralValue } from "../types/index.ts";

export type AnyCall = FunctionCall | InstanceFunctionCall;

interface FileFunction {
  readonly kind: FileRequest["kind"];
  readonly selector?: number;
  readonly encoding?: number;
}

/** Which of a function's arguments mean what; the path is always the first. */
const fileFunctions: ReadonlyMap<string, FileFunction> = new Map<string, FileFunction>([
  ["loadTextContent", { kind: "text", encoding: 1 }],
  ["loadFileAsBase64", { kind: "base64" }],
  ["loadJsonContent", { kind: "json", selector: 1, encoding: 2 }],
  ["loadYamlContent", { kind: "yaml", selector: 1, encoding: 2 }],
  ["loadDirectoryFileInfo", { kind: "directory", selector: 1 }],
]);

/** The files that functions of one source file load, and the variables that hold them in its template. */
export class LoadedFiles {
  readonly #model: SemanticModel;
  readonly #loader: FileLoader | undefined;
  readonly #values = new Map<AnyCall, LiteralValue>();
  #variables: ReadonlyMap<AnyCall, string> | undefined;

  constructor(model: SemanticModel, loader: FileLoader | undefined) {
    this.#model = model;
    this.#loader = loader;
  }

  /** Whether a call is replaced by the content of a file. */
  isLoad(call: AnyCall): boolean {
    return (this.#flagsOf(call) & FunctionFlags.LoadsFile) !== 0;
  }

  valueOf(call: AnyCall): LiteralValue {
    let value = this.#values.get(call);
    if (value === undefined) {
      value = this.#load(call);
      this.#values.set(call, value);
    }
    return value;
  }

  /** The variable that a call's content is kept in, unless the content stands where the call does. */
  variableOf(call: AnyCall): string | undefined {
    return this.variables().get(call);
  }

  /** All of them, numbered in source order. */
  variables(): ReadonlyMap<AnyCall, string> {
    this.#variables ??= this.#findVariables();
    return this.#variables;
  }

  #findVariables(): ReadonlyMap<AnyCall, string> {
    const found = new Map<AnyCall, string>();
    const { syntax } = this.#model.file;
    if (syntax.kind === "params" || !mentionsFileFunction(syntax.text)) {
      return found;
    }
    let direct: Expression | undefined;
    walk(syntax.program, (node) => {
      if (node.kind === "FunctionDeclaration") {
        return false; // functions cannot see such variables, so the content stands in their bodies
      }
      if (node.kind === "VariableDeclaration") {
        direct = node.value;
      } else if (node.kind === "FunctionCall" || node.kind === "InstanceFunctionCall") {
        const flags = this.#flagsOf(node);
        const always = (flags & FunctionFlags.VariableAlways) !== 0;
        if (always || ((flags & FunctionFlags.VariableUnlessDirect) !== 0 && node !== direct)) {
          found.set(node, `$fxv#${found.size}`);
        }
      }
      return true;
    });
    return found;
  }

  #flagsOf(call: AnyCall): number {
    return fileFunctions.has(call.name.name) ? (this.#model.callOf(call)?.overload.flags ?? 0) : 0;
  }

  #load(call: AnyCall): LiteralValue {
    const request = this.#requestOf(call);
    const loaded = request === undefined ? undefined : this.#loader?.load(request);
    if (loaded !== undefined && "value" in loaded) {
      return loaded.value;
    }
    return valueOfLiteral(this.#model.typeOf(call)) ?? null;
  }

  #requestOf(call: AnyCall): FileRequest | undefined {
    const definition = fileFunctions.get(call.name.name);
    const path = this.#textAt(call, 0);
    if (definition === undefined || path === undefined) {
      return undefined;
    }
    return {
      kind: definition.kind,
      path,
      selector: this.#textAt(call, definition.selector),
      encoding: this.#textAt(call, definition.encoding),
    };
  }

  #textAt(call: AnyCall, position: number | undefined): string | undefined {
    const argument = position === undefined ? undefined : call.args[position];
    const type = argument === undefined ? undefined : this.#model.typeOf(argument.expression);
    return type?.kind === "stringLiteral" ? type.value : undefined;
  }
}

/** Most files load nothing: a look at the text saves a walk over the tree. */
function mentionsFileFunction(text: string): boolean {
  return anyFileFunction.test(text);
}

const anyFileFunction = new RegExp(Array.from(fileFunctions.keys()).join("|"));
