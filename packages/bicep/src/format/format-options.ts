export interface FormatOptions {
  readonly indentKind: "Space" | "Tab";
  /** Blanks for each level, 0 to 1000; a tab is always one. */
  readonly indentSize: number;
  readonly newlineKind: "LF" | "CRLF" | "CR";
  readonly insertFinalNewline: boolean;
  /** Columns that a line may fill before its brackets are opened up. */
  readonly width: number;
}

export const defaultFormatOptions: FormatOptions = {
  indentKind: "Space",
  indentSize: 2,
  newlineKind: "LF",
  insertFinalNewline: true,
  width: 120,
};

/** How to write lines, in characters rather than in names. */
export interface LineStyle {
  readonly newline: string;
  readonly indent: string;
  readonly width: number;
  readonly endsWithNewline: boolean;
}

const newlines = { LF: "\n", CRLF: "\r\n", CR: "\r" } as const;
const maxIndentSize = 1000;

export function lineStyleOf(options: Partial<FormatOptions>): LineStyle {
  const chosen = { ...defaultFormatOptions, ...options };
  const indentSize = Math.min(Math.max(Math.trunc(chosen.indentSize), 0), maxIndentSize);
  return {
    newline: newlines[chosen.newlineKind],
    indent: chosen.indentKind === "Tab" ? "\t" : " ".repeat(indentSize),
    width: Math.max(chosen.width, 0),
    endsWithNewline: chosen.insertFinalNewline,
  };
}
