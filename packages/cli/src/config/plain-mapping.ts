/** A mapping of mappings and texts. */
export interface PlainMapping {
  [key: string]: PlainMapping | string;
}

/** No blanks, and nothing that YAML reads as something else than a text: numbers and `-` come first in those. */
const line = /^(?<indent> *)(?<key>[a-z][\w.-]{0,99}):(?: (?:(?<plain>[a-z/][\w./@:-]*)|"(?<quoted>[\w ./@:-]*)"))?$/i;
const notText = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/**
 * Reads the YAML that programs write for a configuration: nested block mappings of one-line texts. It loads nothing,
 * where the parser takes as long as the rest of a command.
 * @returns `undefined` for everything else: comments, lists, numbers, aliases, mistakes. It is for the parser to read.
 */
export function readPlainMapping(text: string): PlainMapping | undefined {
  const root: PlainMapping = {};
  /** The mappings around a line, the innermost last. The indentation of one is known with its first key. */
  const open: { readonly mapping: PlainMapping; indent: number | undefined }[] = [{ mapping: root, indent: 0 }];
  for (const current of text.replace(/\n$/, "").split("\n")) {
    const { indent, key, plain, quoted } = line.exec(current)?.groups ?? {};
    if (indent === undefined || key === undefined || notText.test(key) || (plain !== undefined && !isText(plain))) {
      return undefined;
    }
    const innermost = open.at(-1);
    if (innermost !== undefined && innermost.indent === undefined) {
      const parent = open.at(-2)?.indent ?? 0;
      if (indent.length <= parent) {
        return undefined; // a key without a value
      }
      innermost.indent = indent.length;
    }
    while ((open.at(-1)?.indent ?? 0) > indent.length) {
      open.pop();
    }
    const parent = open.at(-1);
    if (parent?.indent !== indent.length || Object.hasOwn(parent.mapping, key)) {
      return undefined;
    }
    const value = plain ?? quoted;
    if (value === undefined) {
      const mapping: PlainMapping = {};
      parent.mapping[key] = mapping;
      open.push({ mapping, indent: undefined });
    } else {
      parent.mapping[key] = value;
    }
  }
  return open.at(-1)?.indent === undefined ? undefined : root;
}

/** A colon at the end would make it a key. */
function isText(plain: string): boolean {
  return !plain.endsWith(":") && !notText.test(plain);
}
