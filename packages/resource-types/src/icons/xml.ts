export interface XmlElement {
  readonly name: string;
  /** Names as written, values with their character references resolved. */
  readonly attributes: ReadonlyMap<string, string>;
}

const name = /[A-Za-z_:\u{80}-\u{10ffff}][\w:.\-\u{80}-\u{10ffff}]*/uy;
const space = /[ \t\r\n]*/y;
const attributeValue = /"[^"<]*"|'[^'<]*'/y;
const text = /[^<]*/y;
const declaration = /<\?xml[ \t\r\n][^?<>]*\?>/y;
const reference = /&(?:([a-z]+)|#(\d{1,7})|#x([\dA-Fa-f]{1,6}));|&/g;
// oxlint-disable-next-line no-control-regex -- XML excludes exactly these characters
const forbiddenCharacter = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

const entities: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** The reason why a text is not the kind of XML accepted here. */
export class XmlError extends Error {
  override readonly name = "XmlError";
}

/**
 * The elements of a well-formed document, each one when its start tag has been read; the first is the root. Strict and
 * small on purpose: document types are refused and with them every entity of their making, and so are processing
 * instructions. One pass with sticky expressions, no recursion: linear in the text.
 *
 * @throws XmlError once the text stops being well-formed, possibly after some elements.
 */
export function* readElements(source: string): Generator<XmlElement> {
  if (!source.isWellFormed() || forbiddenCharacter.test(source)) {
    throw new XmlError("it contains a character that XML does not allow");
  }
  const open: string[] = [];
  let position = source.startsWith("\u{feff}") ? 1 : 0;
  let rootSeen = false;

  take(declaration);
  while (position < source.length) {
    if (!source.startsWith("<", position)) {
      readText();
    } else if (source.startsWith("<!--", position)) {
      readComment();
    } else if (source.startsWith("<![CDATA[", position) && open.length > 0) {
      position = endOf("]]>", "a CDATA section");
    } else if (source.startsWith("<!", position)) {
      throw new XmlError("document types and entities are not allowed");
    } else if (source.startsWith("<?", position)) {
      throw new XmlError("processing instructions are not allowed");
    } else if (source.startsWith("</", position)) {
      readEndTag();
    } else {
      if (open.length === 0 && rootSeen) {
        throw new XmlError("there is more than one root element");
      }
      rootSeen = true;
      yield readStartTag();
    }
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) {
    throw new XmlError(`<${unclosed}> is never closed`);
  }
  if (!rootSeen) {
    throw new XmlError("there is no element");
  }

  function readText(): void {
    const content = take(text) ?? "";
    if (open.length === 0 && content.trim() !== "") {
      throw new XmlError("there is text outside of the root element");
    }
    if (content.includes("]]>")) {
      throw new XmlError("']]>' is not allowed in text");
    }
    resolveReferences(content);
  }

  function readComment(): void {
    const start = position + "<!--".length;
    position = start;
    position = endOf("-->", "a comment");
    const content = source.slice(start, position - "-->".length);
    if (content.includes("--") || content.endsWith("-")) {
      throw new XmlError("'--' is not allowed in a comment");
    }
  }

  function readStartTag(): XmlElement {
    position += 1;
    const element = expectName();
    const attributes = new Map<string, string>();
    for (;;) {
      const gap = take(space) ?? "";
      if (source.startsWith("/>", position)) {
        position += 2;
        return { name: element, attributes };
      }
      if (source.startsWith(">", position)) {
        position += 1;
        open.push(element);
        return { name: element, attributes };
      }
      if (gap === "") {
        throw new XmlError(`<${element}> is not a complete tag`);
      }
      readAttribute(element, attributes);
    }
  }

  function readAttribute(element: string, attributes: Map<string, string>): void {
    const attribute = expectName();
    take(space);
    if (!source.startsWith("=", position)) {
      throw new XmlError(`attribute ${attribute} of <${element}> has no value`);
    }
    position += 1;
    take(space);
    const quoted = take(attributeValue);
    if (quoted === undefined) {
      throw new XmlError(`the value of attribute ${attribute} of <${element}> is not quoted properly`);
    }
    if (attributes.has(attribute)) {
      throw new XmlError(`attribute ${attribute} of <${element}> is there twice`);
    }
    attributes.set(attribute, resolveReferences(quoted.slice(1, -1)));
  }

  function readEndTag(): void {
    position += 2;
    const element = expectName();
    take(space);
    if (!source.startsWith(">", position) || open.pop() !== element) {
      throw new XmlError(`</${element}> closes nothing`);
    }
    position += 1;
  }

  function expectName(): string {
    const found = take(name);
    if (found === undefined) {
      throw new XmlError("there is a '<' or an attribute without a name");
    }
    return found.length > 100 ? fail("a name is longer than 100 characters") : found;
  }

  /** Moves past what `expression` matches right here. */
  function take(expression: RegExp): string | undefined {
    expression.lastIndex = position;
    const found = expression.exec(source)?.[0];
    position += found?.length ?? 0;
    return found;
  }

  function endOf(end: string, what: string): number {
    const index = source.indexOf(end, position);
    return index === -1 ? fail(`${what} is never closed`) : index + end.length;
  }
}

function resolveReferences(content: string): string {
  return content.replaceAll(reference, (_match, entity?: string, decimal?: string, hex?: string) => {
    if (entity !== undefined) {
      return entities.get(entity) ?? fail(`&${entity.slice(0, 100)}; is not defined`);
    }
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    const valid = code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
    const character = valid ? String.fromCodePoint(code) : "\0";
    return forbiddenCharacter.test(character) ? fail("a character reference is not valid") : character;
  });
}

function fail(reason: string): never {
  throw new XmlError(reason);
}
