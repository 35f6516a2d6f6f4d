// The documents that printers build and `render` writes out. A document is laid out flat (its lines are blanks or
// nothing) or broken (its lines are line breaks). What decides between the two is worked out bottom-up while documents
// are built, so that every group is measured once, by one comparison.

type DocKind =
  | "text"
  | "suffix"
  | "blank"
  | "line"
  | "newline"
  | "choice"
  | "concat"
  | "indent"
  | "group"
  | "flat"
  | "tail";

/** One shape for all kinds, because layout touches little else. */
export interface Doc {
  readonly kind: DocKind;
  /** What a text is, what a line or choice is when flat. */
  readonly text: string;
  /** What a choice is when broken. */
  readonly brokenText: string;
  readonly parts: readonly Doc[];
  /** Columns when flat. A text counts its own line breaks as columns, a suffix counts nothing. */
  readonly width: number;
  /** Nothing after this document is measured, because it ends in a tail. */
  readonly endsMeasure: boolean;
  /** Brackets around it have to open up; a line comment at the very end is told apart below. */
  readonly breaks: boolean;
  /** Nothing but blanks may stand before it on its line. */
  readonly startsLine: boolean;
  /** Whatever follows has to stand on the next line. */
  readonly endsInLineComment: boolean;
}

const noParts: readonly Doc[] = [];

/** A blank that is not written at the end of a line, and never twice. */
export const blank: Doc = leaf("blank", " ", 1);

/** A line break in any layout. */
export const newline: Doc = { ...leaf("newline", "", 0), breaks: true };

export const empty: Doc = text("");

export function text(value: string): Doc {
  return leaf("text", value, value.length);
}

/** A comment line. */
export function commentLine(value: string, endsInLineComment: boolean): Doc {
  return { ...text(value), breaks: true, endsInLineComment };
}

/** A pragma counts only at the start of a line, so whatever is around it has to break there. */
export function pragma(value: string): Doc {
  return { ...text(value), breaks: true, startsLine: true };
}

/** A line comment behind code: one blank, then the comment, however long the line gets. */
export function suffix(comment: string): Doc {
  return { ...leaf("suffix", comment, 0), endsInLineComment: true };
}

/** A line break, or `flat` where the group around it fits on its line. */
export function line(flat: string): Doc {
  return leaf("line", flat, flat.length);
}

export function choice(broken: string, flat: string): Doc {
  return { ...leaf("choice", flat, flat.length), brokenText: broken };
}

/** Parts in a row; their lines follow whatever is around them. */
export function concat(parts: readonly Doc[]): Doc {
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : compound("concat", parts);
}

/** Parts in a row with one blank between them. */
export function spaced(parts: readonly (Doc | undefined)[]): Doc {
  const present: Doc[] = [];
  for (const part of parts) {
    if (part === undefined || part === empty) {
      continue;
    }
    if (present.length > 0) {
      present.push(blank);
    }
    present.push(part);
  }
  return concat(present);
}

/** Line breaks inside are followed by one more level of indentation. */
export function indent(parts: readonly Doc[]): Doc {
  return compound("indent", parts);
}

/** Flat if it fits on the rest of the line, else broken; broken for sure if something inside forces it. */
export function group(parts: readonly Doc[]): Doc {
  const measured = compound("group", parts);
  return measured.breaks ? { ...measured, kind: "concat" } : measured;
}

/** Parts in a row whose lines break, as do those of all brackets around it. */
export function broken(parts: readonly Doc[]): Doc {
  return { ...compound("concat", parts), breaks: true };
}

/** One line, whatever its length. Nothing inside may force a break. */
export function flat(parts: readonly Doc[]): Doc {
  return compound("flat", parts);
}

/** A group whose last part is a broken tail: what stands before the tail stays on the line if that much fits. */
export function groupBeforeTail(parts: readonly Doc[]): Doc {
  return compound("group", parts);
}

/** A broken literal that may follow flat text. Only its opening bracket is measured, if that stays on the line. */
export function tail(literal: Doc, width = 1): Doc {
  return { ...compound("tail", [literal]), width, endsMeasure: true };
}

export function forcesBreak(doc: Doc): boolean {
  return doc.breaks || doc.endsInLineComment;
}

function leaf(kind: DocKind, value: string, width: number): Doc {
  return {
    kind,
    text: value,
    brokenText: "",
    parts: noParts,
    width,
    endsMeasure: false,
    breaks: false,
    startsLine: false,
    endsInLineComment: false,
  };
}

function compound(kind: DocKind, parts: readonly Doc[]): Doc {
  let width = 0;
  let endsMeasure = false;
  let breaks = false;
  let endsInLineComment = false;
  const startsLine = parts[0]?.startsLine === true;
  for (const part of parts) {
    if (!endsMeasure) {
      width += part.width;
      endsMeasure = part.endsMeasure;
    }
    if (part.kind !== "blank") {
      // A line comment forces a break only once something follows it.
      breaks ||= part.breaks || endsInLineComment;
      endsInLineComment = part.endsInLineComment;
    }
  }
  return { kind, text: "", brokenText: "", parts, width, endsMeasure, breaks, startsLine, endsInLineComment };
}
