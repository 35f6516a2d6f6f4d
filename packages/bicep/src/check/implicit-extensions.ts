import type { ExtensionSymbol, SourceFile } from "../semantics/index.ts";
import { parseBicep } from "../syntax/index.ts";
import { specificationText } from "./extensions.ts";

/** What a file has without saying so. */
export interface ImplicitExtensions {
  /** Azure's namespace comes without a declaration. */
  readonly namesAzure: boolean;
  /** Azure's resource types are there, declared or not. */
  readonly hasAzure: boolean;
  /** The others, as if the file declared them. */
  readonly symbols: readonly ExtensionSymbol[];
}

/** The extensions that the configuration adds to a file; a declaration of the same one replaces it. */
export function implicitExtensions(file: SourceFile, written: readonly ExtensionSymbol[]): ImplicitExtensions {
  const configured = file.implicitExtensions ?? ["az"];
  const specifications = written.map(({ declaration }) => specificationText(declaration));
  const names = configured.filter((name) => !specifications.includes(name) && !written.some((it) => it.name === name));
  const namesAzure = names.includes("az");
  return {
    namesAzure,
    hasAzure: namesAzure || specifications.includes("az"),
    symbols:
      file.syntax.kind === "params" ? [] : names.filter((name) => name !== "az").flatMap((name) => declared(name)),
  };
}

/** The symbol of `extension name`, which is in no file. */
function declared(name: string): readonly ExtensionSymbol[] {
  return parseBicep(`extension ${name}\n`).program.statements.flatMap((declaration) =>
    declaration.kind === "ExtensionDeclaration"
      ? [{ kind: "extension", name, nameNode: declaration.specification, declaration }]
      : [],
  );
}
