import type { Doc } from "./doc.ts";
import type { LineStyle } from "./format-options.ts";

/** Writes a document out. Linear: every document is visited once, and whether a group fits is one comparison. */
export function render(root: Doc, style: LineStyle): string {
  const output = createOutput(style);
  // Three stacks in step rather than one of objects: this runs for every token of the file.
  const docs: Doc[] = [root];
  const flats: boolean[] = [false];
  const levels: number[] = [0];

  function push(parts: readonly Doc[], flat: boolean, level: number): void {
    for (let at = parts.length - 1; at >= 0; at -= 1) {
      docs.push(parts[at] as Doc);
      flats.push(flat);
      levels.push(level);
    }
  }

  for (let doc = docs.pop(); doc !== undefined; doc = docs.pop()) {
    const flat = flats.pop() === true;
    const level = levels.pop() ?? 0;
    switch (doc.kind) {
      case "text":
        output.text(doc.text, doc.width);
        break;
      case "suffix":
        output.blank();
        output.text(doc.text, 0);
        break;
      case "blank":
        output.blank();
        break;
      case "newline":
        output.newline(level);
        break;
      case "line":
        if (flat) {
          output.text(doc.text, doc.width);
        } else {
          output.newline(level);
        }
        break;
      case "choice":
        output.text(flat ? doc.text : doc.brokenText, flat ? doc.width : doc.brokenText.length);
        break;
      case "concat":
        push(doc.parts, flat, level);
        break;
      case "indent":
        // In a flat group only a tail has line breaks, and a tail lines up with the line that it began on.
        push(doc.parts, flat, flat ? level : level + 1);
        break;
      case "group":
        push(doc.parts, flat || doc.width <= style.width - output.column(), level);
        break;
      case "flat":
        push(doc.parts, true, level);
        break;
      case "tail":
        push(doc.parts, false, level);
        break;
      default:
        doc.kind satisfies never;
    }
  }
  return output.result();
}

interface Output {
  column(): number;
  text(value: string, width: number): void;
  blank(): void;
  newline(level: number): void;
  result(): string;
}

// Blanks and indentation wait until a text follows, so no line ends in them.
function createOutput(style: LineStyle): Output {
  const indents: string[] = [""];
  let written = "";
  let column = 0;
  let pendingIndent = "";
  let pendingBlank = "";

  function indentOf(level: number): string {
    for (let deepest = indents.length - 1; deepest < level; deepest += 1) {
      indents.push(`${indents[deepest] ?? ""}${style.indent}`);
    }
    return indents[level] ?? "";
  }

  return {
    column: () => column,
    text(value, width) {
      if (value === "") {
        return;
      }
      written += pendingIndent + pendingBlank + value;
      pendingIndent = "";
      pendingBlank = "";
      column += width;
    },
    blank() {
      if (pendingBlank === "") {
        pendingBlank = " ";
        column += 1;
      }
    },
    newline(level) {
      written += style.newline;
      pendingIndent = indentOf(level);
      pendingBlank = "";
      column = pendingIndent.length;
    },
    result: () => written,
  };
}
