import { literalText } from "../syntax/index.ts";
import type { Skipped, Statement, SyntaxFile, Token } from "../syntax/index.ts";
import { isToken } from "../syntax/index.ts";
import type { StringExpression } from "../syntax/index.ts";

/** What a file says it needs from outside, before anything is known about what the words mean. */
export interface WrittenReferences {
  /** The paths of modules, tests, imports, `using` and `extends`, in source order. */
  readonly files: readonly string[];
  /** The names or texts of extensions, in source order. */
  readonly extensions: readonly string[];
}

export function writtenReferences(syntax: SyntaxFile): WrittenReferences {
  const files: string[] = [];
  const extensions: string[] = [];
  for (const statement of syntax.program.statements) {
    const path = pathOf(statement);
    const text = path === undefined ? undefined : textOf(path);
    if (text !== undefined) {
      files.push(text);
    }
    if (statement.kind === "ExtensionDeclaration") {
      const { specification } = statement;
      const extension = specification.kind === "Identifier" ? specification.name : textOf(specification);
      if (extension !== undefined) {
        extensions.push(extension);
      }
    }
  }
  return { files, extensions };
}

function pathOf(statement: Statement): StringExpression | Skipped | Token | undefined {
  switch (statement.kind) {
    case "ModuleDeclaration":
    case "TestDeclaration":
    case "UsingDeclaration":
    case "ExtendsDeclaration":
      return statement.path;
    case "ImportDeclaration":
      return statement.from.kind === "ImportFrom" ? statement.from.path : undefined;
    default:
      return undefined;
  }
}

function textOf(path: StringExpression | Skipped | Token): string | undefined {
  return !isToken(path) && path.kind === "StringExpression" ? literalText(path) : undefined;
}
