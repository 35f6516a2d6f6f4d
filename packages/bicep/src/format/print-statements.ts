import type {
  Declaration,
  FunctionDeclaration,
  ModuleDeclaration,
  ResourceDeclaration,
  VariableDeclaration,
} from "../syntax/index.ts";
import { printDecorated } from "./decorators.ts";
import { concat, indent, newline, spaced } from "./doc.ts";
import type { Doc } from "./doc.ts";
import { printTypeOnLine } from "./print-types.ts";
import { glued, words } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { ownLine } from "./trivia.ts";

/** A declaration with its decorators. */
export function printDeclaration(printer: Printer, node: Declaration): Doc {
  return printDecorated(printer, node, printUndecorated(printer, node));
}

function printUndecorated(printer: Printer, node: Declaration): Doc {
  switch (node.kind) {
    case "TargetScope":
      return words(printer, node.keyword, node.assignment, node.value);
    case "MetadataDeclaration":
    case "AssertDeclaration":
    case "TypeDeclaration":
    case "ParameterAssignment":
      return words(printer, node.keyword, node.name, node.assignment, node.value);
    case "ParameterDeclaration":
      return words(printer, node.keyword, node.name, node.type, node.modifier);
    case "VariableDeclaration":
      return printVariable(printer, node);
    case "OutputDeclaration":
      return words(printer, node.keyword, node.name, node.type, node.assignment, node.value);
    case "FunctionDeclaration":
      return printFunction(printer, node);
    case "ResourceDeclaration":
      return printResource(printer, node, words(printer, node.keyword, node.name, node.type, node.existing));
    case "ModuleDeclaration":
      return printResource(printer, node, words(printer, node.keyword, node.name, node.path));
    case "TestDeclaration":
      return words(printer, node.keyword, node.name, node.path, node.assignment, node.value);
    case "ImportDeclaration":
      return words(printer, node.keyword, node.what, node.from);
    case "ExtensionDeclaration":
      return words(printer, node.keyword, node.specification, node.configuration, node.alias);
    case "UsingDeclaration":
      return words(printer, node.keyword, node.path, node.configuration);
    case "ExtendsDeclaration":
      return words(printer, node.keyword, node.path);
    case "ExtensionConfiguration":
      return words(printer, node.keyword, node.alias, node.configuration);
    default:
      return node satisfies never;
  }
}

function printVariable(printer: Printer, node: VariableDeclaration): Doc {
  const start = words(printer, node.keyword, node.name);
  const type = node.type && printTypeOnLine(printer, node.type);
  return spaced([start, type, words(printer, node.assignment, node.value)]);
}

function printFunction(printer: Printer, node: FunctionDeclaration): Doc {
  return spaced([printer.print(node.keyword), glued(printer, node.name, node.lambda)]);
}

/** An `if` on a line of its own is pulled up, unless there are comments to be kept between it and the `=`. */
function printResource(printer: Printer, node: ResourceDeclaration | ModuleDeclaration, head: Doc): Doc {
  const start = spaced([head, printer.print(node.assignment)]);
  const body = printer.print(node.body);
  const comments = node.newlines.filter((token) => token.leading.length > 0);
  if (comments.length === 0) {
    return spaced([start, body]);
  }
  const lines: Doc[] = [];
  for (const token of comments) {
    lines.push(newline, ownLine(printer, token.leading));
  }
  return concat([start, indent([...lines, newline, body])]);
}
