import { error } from "../diagnostic.ts";
import type { Diagnostic, Span } from "../diagnostic.ts";

type Rule = (span: Span) => Diagnostic;

/** What the scanner and the parser each keep. A file with more is not Bicep, and megabytes of it would fill the memory. */
export const maxDiagnostics = 10_000;

/** Everything the scanner and the parser have to say. All of it is an error. */
export const syntaxErrors = {
  // ------------------------------------------------------------------------------------------ scanner
  unknownToken: (span: Span, text: string) => error("BCP001", span, `"${text}" has no meaning in Bicep.`),
  unclosedComment: rule("BCP002", 'This comment is never closed. Add "*/".'),
  unclosedString: rule("BCP003", "This string is never closed. Add a single quote."),
  stringBrokenByNewline: rule("BCP004", "This string is cut off by a line break. Add a single quote before it."),
  escapeAtEnd: rule("BCP005", "The file ends in the middle of an escape sequence."),
  unknownEscape: (span: Span, escape: string) =>
    error(
      "BCP006",
      span,
      `"${escape}" is not an escape sequence. Known are: "\\\\", "\\'", "\\n", "\\r", "\\t", "\\u{...}", "\\$".`,
    ),
  identifierTooLong: rule("BCP024", "This name is longer than 255 characters."),
  doubleQuote: rule("BCP103", "Strings are written with single quotes in Bicep, not with double quotes."),
  badUnicodeEscape: rule(
    "BCP133",
    "A unicode escape is written \\u{0} to \\u{10FFFF}: one or more hexadecimal digits in braces.",
  ),
  unclosedMultilineString: rule("BCP140", "This multi-line string is never closed. Add three single quotes."),
  pragmaWithoutCodes: rule("BCP226", "Name at least one diagnostic code here."),

  // ------------------------------------------------------------------------------------------ parser
  expectedDeclaration: rule(
    "BCP007",
    "No declaration starts like this. Start with a parameter, variable, type, function, resource, module or output.",
  ),
  expectedParameterDefault: rule("BCP008", 'A "=" or the end of the line is expected here.'),
  expectedExpression: rule("BCP009", "A value is expected here: a literal, a name, a call or a parenthesis."),
  integerTooLarge: rule("BCP010", "This integer does not fit into 64 bits."),
  expectedKeyword: (span: Span, word: string) => error("BCP012", span, `The word "${word}" is expected here.`),
  expectedParameterName: rule("BCP013", "The name of a parameter is expected here."),
  expectedVariableName: rule("BCP015", "The name of a variable is expected here."),
  expectedOutputName: rule("BCP016", "The name of an output is expected here."),
  expectedResourceName: rule("BCP017", "The symbolic name of a resource is expected here."),
  expectedCharacter: (span: Span, text: string) => error("BCP018", span, `"${text}" is expected here.`),
  expectedNewline: rule("BCP019", "The end of the line is expected here."),
  expectedMemberName: rule("BCP020", "The name of a property or function is expected here."),
  expectedPropertyName: rule("BCP022", "The name of a property is expected here."),
  surplusInInterpolation: rule("BCP064", "An interpolation takes one expression, and this is more than one."),
  expectedResourceType: rule(
    "BCP068",
    'The type of a resource is expected here, as a string such as "Namespace/type@2020-01-01".',
  ),
  literalNotAllowed: rule("BCP087", "Array and object literals are not allowed here."),
  expectedModuleName: rule("BCP096", "The symbolic name of a module is expected here."),
  expectedModulePath: rule("BCP097", "The path of a module is expected here, as a string."),
  emptyIndex: rule("BCP117", "There is no index between these brackets."),
  expectedResourceBody: rule("BCP118", 'A "{", a "[" or the word "if" is expected here.'),
  expectedDecoratorName: rule("BCP123", "The name of a decorator is expected here."),
  expectedLoopVariable: rule("BCP162", 'The name of a loop variable or a "(" is expected here.'),
  expectedLoopBody: rule("BCP167", 'A "{" or the word "if" is expected here.'),
  expectedExtension: rule("BCP201", "The name of an extension is expected here, or its location as a string."),
  expectedExtensionAlias: rule("BCP202", "The alias of an extension is expected here."),
  expectedSeparator: rule("BCP236", "A comma or the end of the line is expected here."),
  expectedComma: rule("BCP237", "A comma is expected here."),
  newlineAfterComma: rule("BCP238", "A comma cannot end the line. Remove it: the line break separates already."),
  expectedOneInParentheses: rule("BCP243", "Parentheses hold exactly one expression, on one line."),
  expectedTwoLoopVariables: rule("BCP249", "A loop has exactly two variables in parentheses: the item and its index."),
  malformedUsingPath: rule("BCP257", "The path of a Bicep file is expected here, as a string without interpolation."),
  expectedMetadataName: rule("BCP266", "The name of a metadata value is expected here."),
  expectedType: rule("BCP279", "A type is expected here."),
  expectedTypeLiteral: rule("BCP300", "A type is expected here, on the same line."),
  expectedWithOrAs: rule("BCP305", 'The word "with", the word "as" or the end of the line is expected here.'),
  expectedTypePropertyName: rule("BCP317", 'The name of a property, a string or a "*" is expected here.'),
  safeCall: rule("BCP322", "A function cannot be called behind a safe dereference."),
  expectedTypeName: rule("BCP325", "The name of a type is expected here."),
  notInParametersFile: rule("BCP337", "No declaration of a parameters file starts like this."),
  expectedAssertName: rule("BCP344", "The name of an assertion is expected here."),
  expectedTestName: rule("BCP346", "The name of a test is expected here."),
  expectedTestPath: rule("BCP347", "The path of the file to test is expected here, as a string."),
  expectedImportList: rule("BCP354", 'A list of names in braces or "*" is expected here.'),
  expectedImportedName: rule("BCP355", "The name of an exported symbol is expected here."),
  expectedNamespaceName: rule("BCP356", "The name of a namespace is expected here."),
  quotedImportWithoutAlias: rule("BCP375", 'A symbol that is imported by a quoted name needs an alias: add "as name".'),
  interpolatedImportName: rule(
    "BCP032",
    "The name of an exported symbol is a constant: a string without interpolation.",
  ),
  expectedExtendsPath: rule("BCP404", "The path of the parameters file to extend is expected here, as a string."),
  expectedWith: rule("BCP436", 'The word "with" or the end of the line is expected here.'),

  // ------------------------------------------------------------------------------------------ ours
  nestingTooDeep: rule("nesting-too-deep", "This is nested too deeply to be compiled."),
};

function rule(code: string, message: string): Rule {
  return (span) => error(code, span, message);
}
