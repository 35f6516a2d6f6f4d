import fc from "fast-check";

// Random programs as text, correct but badly laid out: every construct of the language, with comments, pragmas and
// line breaks wherever the grammar lets them stand.

interface RandomSourceOptions {
  /** Lines that hold only blanks, which take two runs to settle. */
  readonly blankOnlyLines: boolean;
}

type Text = fc.Arbitrary<string>;

/** Statements of a `.bicep` file. */
export function randomSource(options: RandomSourceOptions): Text {
  const gaps = createGaps(options);
  const expressions = createExpressions(gaps);
  const types = createTypes(gaps, expressions);
  const statement = createStatements(gaps, expressions, types);
  return fc.array(fc.tuple(statement, gaps.lines), { minLength: 1, maxLength: 5 }).map(flatText);
}

interface Gaps {
  /** Between two words. */
  readonly blank: Text;
  /** Between two tokens that may touch. */
  readonly tight: Text;
  /** One line break or more. */
  readonly lines: Text;
  /** Where a line break may be. */
  readonly optionalLines: Text;
  /** Between the items of a newline list. */
  readonly separator: Text;
  /** Between arguments. */
  readonly argumentSeparator: Text;
}

function createGaps(options: RandomSourceOptions): Gaps {
  const blank = fc.constantFrom(" ", " ", " ", "   ", "\t", " /* b */ ");
  const tight = fc.constantFrom("", "", "", " ", "/* t */");
  const line = [
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    " // l\n",
    "\n// o\n",
    "\n\n/* m\n n */ // o\n\n",
    "\n#disable-next-line BCP001\n",
  ];
  const lines = fc.constantFrom(...line, ...(options.blankOnlyLines ? ["\n  \n", "\n \n\n \n"] : []));
  return {
    blank,
    tight,
    lines,
    optionalLines: fc.oneof({ weight: 3, arbitrary: tight }, { weight: 1, arbitrary: lines }),
    separator: fc.oneof(lines, fc.constant(", ")),
    argumentSeparator: fc.oneof(
      { weight: 3, arbitrary: fc.constant(",") },
      { weight: 1, arbitrary: lines.map((gap) => `,${gap}`) },
    ),
  };
}

interface Expressions {
  readonly any: Text;
  /** One that can be an operand or carry a suffix. */
  readonly primary: Text;
  readonly object: Text;
  readonly call: Text;
}

const name = fc.constantFrom("a", "b", "name", "aLongerName", "param");
const string = fc.constantFrom("'s'", "'it\\'s'", "'${ a }${b.c }'", "'''m\n l'''", "'a rather long string'", "''");

function createExpressions({ blank, tight, lines, optionalLines, separator, argumentSeparator }: Gaps): Expressions {
  const { any, primary, object, call } = fc.letrec<{
    any: string;
    primary: string;
    object: string;
    array: string;
    call: string;
    lambda: string;
    access: string;
    ternary: string;
  }>((tie) => {
    const anyExpression = tie("any");
    const key = fc.oneof(name, fc.constantFrom("'k-l'", "'${a}k'"));
    const property = fc.tuple(key, tight, fc.constant(":"), tight, anyExpression).map(flatText);
    const spread = fc.tuple(tight, fc.constant("..."), tight, tie("primary")).map(flatText);
    const argument = fc.oneof({ weight: 5, arbitrary: anyExpression }, { weight: 1, arbitrary: tie("lambda") });
    const operator = fc.constantFrom("+", "-", "*", "/", "%", "==", "!=", "=~", "!~", "<", ">=", "&&", "||", "??");
    return {
      any: fc.oneof(
        { maxDepth: 4, depthIdentifier: "expression" },
        { weight: 4, arbitrary: tie("primary") },
        { weight: 1, arbitrary: tie("array") },
        { weight: 2, arbitrary: tie("object") },
        { weight: 1, arbitrary: fc.tuple(tie("primary"), blank, operator, blank, tie("primary")).map(flatText) },
        { weight: 1, arbitrary: tie("ternary") },
        { weight: 1, arbitrary: fc.tuple(fc.constantFrom("!", "-"), tight, tie("primary")).map(flatText) },
      ),
      primary: fc.oneof(
        { maxDepth: 4, depthIdentifier: "expression" },
        { weight: 3, arbitrary: fc.oneof(name, string, fc.constantFrom("1", "20", "true", "null")) },
        { weight: 2, arbitrary: tie("call") },
        { weight: 1, arbitrary: tie("access") },
        {
          weight: 1,
          arbitrary: fc.tuple(fc.constant("("), tight, anyExpression, tight, fc.constant(")")).map(flatText),
        },
      ),
      object: bracketed(
        "{",
        fc.oneof({ weight: 4, arbitrary: property }, { weight: 1, arbitrary: spread }),
        separator,
        "}",
        optionalLines,
      ),
      array: bracketed(
        "[",
        fc.oneof({ weight: 4, arbitrary: anyExpression }, { weight: 1, arbitrary: spread }),
        separator,
        "]",
        optionalLines,
      ),
      call: fc.tuple(name, tight, bracketed("(", argument, argumentSeparator, ")", optionalLines)).map(flatText),
      lambda: fc
        .tuple(
          fc.oneof(name, bracketed("(", name, argumentSeparator, ")", optionalLines)),
          blank,
          fc.constant("=>"),
          fc.oneof({ weight: 3, arbitrary: blank }, { weight: 1, arbitrary: lines }),
          anyExpression.filter((body) => !body.startsWith("param")), // a line break before that word ends the lambda
        )
        .map(flatText),
      access: fc
        .tuple(
          tie("primary"),
          tight,
          fc.oneof(
            fc.tuple(fc.constantFrom(".", "::"), tight, name).map(flatText),
            fc.constantFrom(".?a", "!", "[ 0 ]", "[?0]", "[^1]", "[ /* i */ ?^1]"),
            fc.tuple(fc.constant(".b"), bracketed("(", argument, argumentSeparator, ")", optionalLines)).map(flatText),
          ),
        )
        .map(flatText),
      ternary: fc
        .tuple(
          tie("primary"),
          fc.oneof(blank, lines),
          fc.constant("?"),
          blank,
          anyExpression,
          fc.oneof(blank, lines),
          fc.constant(":"),
          blank,
          anyExpression,
        )
        .map(flatText),
    };
  });
  return { any, primary, object, call };
}

interface Types {
  readonly any: Text;
}

function createTypes(
  { blank, tight, lines, optionalLines, separator, argumentSeparator }: Gaps,
  expressions: Expressions,
): Types {
  const decorator = fc.tuple(fc.constant("@"), expressions.call, lines).map(flatText);
  const decorators = fc.oneof(
    { weight: 4, arbitrary: fc.constant("") },
    { weight: 1, arbitrary: fc.array(decorator, { maxLength: 2 }).map(flatText) },
  );
  const { any } = fc.letrec<{ any: string; simple: string }>((tie) => {
    const member = fc
      .tuple(decorators, fc.constantFrom("a", "'b-c'", "*"), tight, fc.constant(":"), blank, tie("any"))
      .map(flatText);
    const bar = fc
      .tuple(fc.constantFrom(" ", "\n", "\n\n", " /* u */ ", "\n/* v */ ", " // w\n"), fc.constant("|"), blank)
      .map(flatText);
    return {
      any: fc.oneof(
        { maxDepth: 3, depthIdentifier: "type" },
        { weight: 4, arbitrary: tie("simple") },
        {
          weight: 1,
          arbitrary: fc
            .tuple(
              fc.constantFrom("", "", "| "),
              fc.array(tie("simple"), { minLength: 2, maxLength: 4 }),
              fc.array(bar, { minLength: 3, maxLength: 3 }),
            )
            .map(
              ([first, members, bars]) =>
                first + members.map((text, at) => (at === 0 ? text : `${bars[at - 1]}${text}`)).join(""),
            ),
        },
      ),
      simple: fc.oneof(
        { maxDepth: 3, depthIdentifier: "type" },
        { weight: 4, arbitrary: fc.constantFrom("string", "int", "'lit'", "1", "-1", "true", "null", "!true") },
        {
          weight: 1,
          arbitrary: fc.constantFrom("a.b", "a.*", "a[*]", "a [ 0 ]", "a[]", "a? ?", "a!"),
        },
        {
          weight: 1,
          arbitrary: fc
            .tuple(fc.constant("("), tight, tie("any"), tight, fc.constant(")"), tight, fc.constantFrom("[]", "?", "!"))
            .map(flatText),
        },
        { weight: 1, arbitrary: bracketed("{", member, separator, "}", optionalLines) },
        {
          weight: 1,
          arbitrary: bracketed("[", fc.tuple(decorators, tie("any")).map(flatText), separator, "]", optionalLines),
        },
        {
          weight: 1,
          arbitrary: fc
            .tuple(fc.constantFrom("gen", "a.gen"), bracketed("<", tie("any"), argumentSeparator, ">", optionalLines))
            .map(flatText),
        },
      ),
    };
  });
  return { any };
}

function createStatements(gaps: Gaps, expressions: Expressions, types: Types): Text {
  const { blank, lines, optionalLines, separator } = gaps;
  const words = (...parts: readonly (string | Text)[]): Text =>
    fc
      .tuple(...parts.flatMap((part) => [blank, typeof part === "string" ? fc.constant(part) : part]))
      .map((texts) => flatText(texts.slice(1)));
  const decorator = fc.tuple(fc.constant("@"), expressions.call, lines).map(flatText);
  const condition = words(
    fc.tuple(fc.constant("if ("), expressions.any, fc.constant(")")).map(flatText),
    expressions.object,
  );
  const nested = fc
    .tuple(
      fc.constant("{\nname: 'n'"),
      lines,
      fc.array(decorator, { maxLength: 2 }).map(flatText),
      words("resource", "c", "'t'", "=", expressions.object),
      lines,
      fc.constant("}"),
    )
    .map(flatText);
  const loop = (body: Text): Text =>
    fc
      .tuple(
        fc.constant("["),
        optionalLines,
        words("for", fc.constantFrom("i", "(i, n)", "( i , n )"), "in", expressions.primary),
        fc.constant(": "),
        body,
        optionalLines,
        fc.constant("]"),
      )
      .map(flatText);
  const body = fc.oneof(expressions.object, condition, loop(expressions.object), loop(condition));
  const value = fc.oneof({ weight: 4, arbitrary: expressions.any }, { weight: 1, arbitrary: loop(expressions.any) });
  const importList = bracketed("{", fc.constantFrom("a", "b as c", "'x-y' as d"), separator, "}", optionalLines);
  const parameter = fc.tuple(name, blank, types.any).map(flatText);
  const parameters = bracketed("(", parameter, gaps.argumentSeparator, ")", optionalLines);
  return fc
    .tuple(
      fc.array(decorator, { maxLength: 2 }).map(flatText),
      fc.oneof(
        words("targetScope", "=", "'tenant'"),
        words("metadata", name, "=", expressions.any),
        words("param", name, types.any),
        words("param", name, types.any, "=", expressions.any),
        words("var", name, "=", value),
        words("var", name, types.any, "=", value),
        words("output", name, types.any, "=", value),
        words("output", name, "resource 't@1'", "=", value),
        words("type", name, "=", types.any),
        words("func", fc.tuple(name, parameters).map(flatText), types.any, "=>", expressions.any),
        words("resource", name, "'t@1'", fc.constantFrom("=", "existing ="), fc.oneof(nested, body)),
        fc.tuple(words("resource", name, "'t@1'", "="), lines, condition).map(flatText),
        words("module", name, "'m.bicep'", "=", body),
        words("import", importList, "from", "'m'"),
        words("import", "*", "as", name, "from", "'m'"),
        words("extension", "e", "with", expressions.object, "as", name),
        words("extension", "e", "as", name),
        words("assert", name, "=", expressions.any),
        words("test", name, "'m.bicep'", "=", expressions.object),
      ),
    )
    .map(flatText);
}

/** Up to four items between two brackets, with line breaks where those may be. */
function bracketed(open: string, item: Text, separator: Text, close: string, optionalLines: Text): Text {
  return fc
    .tuple(optionalLines, fc.array(fc.tuple(item, separator), { maxLength: 4 }), optionalLines)
    .map(([before, items, after]) => {
      const inside = items.map(([text, gap], at) => (at === items.length - 1 ? text : text + gap)).join("");
      return open + before + inside + after + close;
    });
}

type Nested = string | readonly Nested[];

function flatText(parts: readonly Nested[]): string {
  return parts.map((part) => (typeof part === "string" ? part : flatText(part))).join("");
}
