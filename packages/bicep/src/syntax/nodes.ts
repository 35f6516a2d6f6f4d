import type { Span } from "../diagnostic.ts";
import type { Token } from "./tokens.ts";

// The tree of one file. Nodes are plain data: they are spans, they hold every token of the source exactly once, and
// they have no parent links (`parentsOf` builds those when somebody asks). Fields stand in source order.
//
// A slot that did not parse holds a `Skipped` node. Lists come twice: `items` has everything between the brackets,
// newlines and commas included, for those who print; the other list has only what the language means by it.

/** What all nodes have. */
interface NodeBase extends Span {
  /** No other node of the tree has it, and the root has the highest: see `NodeTable`. */
  readonly id: number;
}

/** What was skipped to get back on track, or nothing (`start === end`) where something is missing. */
export interface Skipped extends NodeBase {
  readonly kind: "Skipped";
  /** Tokens, and sometimes nodes: the holes of a malformed string, say. Nothing in here means anything any more. */
  readonly items: readonly (Token | Node)[];
}

/** A token that the grammar demands. */
export type Expected = Token | Skipped;

/** A name. Where it is missing or skipped, `name` is `<missing>` or `<error>` and `token` is the skipped range. */
export interface Identifier extends NodeBase {
  readonly kind: "Identifier";
  readonly token: Token | Skipped;
  readonly name: string;
}

// ---------------------------------------------------------------------------------------------------- the file

export interface Program extends NodeBase {
  readonly kind: "Program";
  readonly items: readonly (Statement | Skipped | Token)[];
  /** The declarations, without newlines and skipped text. */
  readonly statements: readonly Statement[];
  readonly endOfFile: Token;
}

export type Statement = Declaration | DanglingDecorators;

export type Declaration =
  | TargetScope
  | MetadataDeclaration
  | ParameterDeclaration
  | VariableDeclaration
  | TypeDeclaration
  | FunctionDeclaration
  | ResourceDeclaration
  | ModuleDeclaration
  | OutputDeclaration
  | ImportDeclaration
  | ExtensionDeclaration
  | AssertDeclaration
  | TestDeclaration
  | UsingDeclaration
  | ExtendsDeclaration
  | ParameterAssignment
  | ExtensionConfiguration;

// ---------------------------------------------------------------------------------------------------- statements

/** What may stand above a declaration, an object type member or a tuple item. */
export interface Decorated extends NodeBase {
  /** Decorators, the newlines after them and surplus tokens, in source order. */
  readonly leading: readonly (Decorator | Skipped | Token)[];
  readonly decorators: readonly Decorator[];
}

export interface Decorator extends NodeBase {
  readonly kind: "Decorator";
  readonly at: Token;
  readonly expression: VariableAccess | PropertyAccess | FunctionCall | InstanceFunctionCall | Skipped;
}

/** Decorators that no declaration follows. */
export interface DanglingDecorators extends Decorated {
  readonly kind: "DanglingDecorators";
}

export interface TargetScope extends Decorated {
  readonly kind: "TargetScope";
  readonly keyword: Token;
  readonly assignment: Expected;
  readonly value: Expression;
}

export interface MetadataDeclaration extends Decorated {
  readonly kind: "MetadataDeclaration";
  readonly keyword: Token;
  readonly name: Identifier;
  readonly assignment: Expected;
  readonly value: Expression;
}

export interface ParameterDeclaration extends Decorated {
  readonly kind: "ParameterDeclaration";
  readonly keyword: Token;
  readonly name: Identifier;
  readonly type: TypeExpression;
  /** `Skipped` when something other than a default value follows the type. */
  readonly modifier: ParameterDefault | Skipped | undefined;
}

export interface ParameterDefault extends NodeBase {
  readonly kind: "ParameterDefault";
  readonly assignment: Token;
  readonly value: Expression;
}

export interface VariableDeclaration extends Decorated {
  readonly kind: "VariableDeclaration";
  readonly keyword: Token;
  readonly name: Identifier;
  readonly type: TypeExpression | undefined;
  readonly assignment: Expected;
  readonly value: Expression;
}

export interface TypeDeclaration extends Decorated {
  readonly kind: "TypeDeclaration";
  readonly keyword: Token;
  readonly name: Identifier;
  readonly assignment: Expected;
  readonly value: TypeExpression;
}

export interface FunctionDeclaration extends Decorated {
  readonly kind: "FunctionDeclaration";
  readonly keyword: Token;
  readonly name: Identifier;
  readonly lambda: TypedLambda | Skipped;
}

export interface ResourceDeclaration extends Decorated {
  readonly kind: "ResourceDeclaration";
  readonly keyword: Token;
  readonly name: Identifier;
  readonly type: StringExpression | Skipped;
  readonly existing: Token | undefined;
  readonly assignment: Expected;
  /** Only before an `if`. */
  readonly newlines: readonly Token[];
  readonly body: ResourceBody;
}

export interface ModuleDeclaration extends Decorated {
  readonly kind: "ModuleDeclaration";
  readonly keyword: Token;
  readonly name: Identifier;
  readonly path: StringExpression | Skipped;
  readonly assignment: Expected;
  /** Only before an `if`. */
  readonly newlines: readonly Token[];
  readonly body: ResourceBody;
}

/** What may follow the `=` of a resource or module; a loop's body is an object or a condition. */
export type ResourceBody = ObjectExpression | IfCondition | ForExpression | Skipped;

/** `if (condition) { … }` */
export interface IfCondition extends NodeBase {
  readonly kind: "IfCondition";
  readonly keyword: Token;
  readonly condition: ParenthesizedExpression | Skipped;
  readonly body: ObjectExpression | Skipped;
}

export interface OutputDeclaration extends Decorated {
  readonly kind: "OutputDeclaration";
  readonly keyword: Token;
  readonly name: Identifier;
  readonly type: TypeExpression;
  readonly assignment: Expected;
  readonly value: Expression;
}

export interface AssertDeclaration extends Decorated {
  readonly kind: "AssertDeclaration";
  readonly keyword: Token;
  readonly name: Identifier;
  readonly assignment: Expected;
  readonly value: Expression;
}

export interface TestDeclaration extends Decorated {
  readonly kind: "TestDeclaration";
  readonly keyword: Token;
  readonly name: Identifier;
  readonly path: StringExpression | Skipped;
  readonly assignment: Expected;
  readonly value: ObjectExpression | Skipped;
}

/** `import <what> from 'path'` */
export interface ImportDeclaration extends Decorated {
  readonly kind: "ImportDeclaration";
  readonly keyword: Token;
  readonly what: ImportList | WildcardImport | Skipped;
  readonly from: ImportFrom | Skipped;
}

export interface ImportList extends NodeBase {
  readonly kind: "ImportList";
  readonly open: Token;
  readonly items: readonly (ImportedSymbol | Skipped | Token)[];
  readonly elements: readonly ImportedSymbol[];
  readonly close: Token;
}

export interface ImportedSymbol extends NodeBase {
  readonly kind: "ImportedSymbol";
  readonly name: Identifier | StringExpression | Skipped;
  readonly alias: AsClause | undefined;
}

export interface WildcardImport extends NodeBase {
  readonly kind: "WildcardImport";
  readonly star: Token;
  readonly alias: AsClause | Skipped;
}

/** `as name` */
export interface AsClause extends NodeBase {
  readonly kind: "AsClause";
  readonly keyword: Token;
  readonly name: Identifier;
}

export interface ImportFrom extends NodeBase {
  readonly kind: "ImportFrom";
  readonly keyword: Token;
  readonly path: StringExpression | Skipped;
}

/** `extension name`, or the older `import 'specification'`. */
export interface ExtensionDeclaration extends Decorated {
  readonly kind: "ExtensionDeclaration";
  readonly keyword: Token;
  readonly specification: Identifier | StringExpression | Skipped;
  readonly configuration: WithClause | Skipped | undefined;
  readonly alias: AsClause | Skipped | undefined;
}

/** `with { … }` */
export interface WithClause extends NodeBase {
  readonly kind: "WithClause";
  readonly keyword: Token;
  readonly configuration: ObjectExpression | Skipped;
}

// ------------------------------------------------------------------------------------ statements of parameters files

export interface UsingDeclaration extends Decorated {
  readonly kind: "UsingDeclaration";
  readonly keyword: Token;
  /** A token for `none`. */
  readonly path: StringExpression | Token | Skipped;
  readonly configuration: WithClause | Skipped | undefined;
}

export interface ExtendsDeclaration extends Decorated {
  readonly kind: "ExtendsDeclaration";
  readonly keyword: Token;
  readonly path: StringExpression | Skipped;
}

/** `param name = value` */
export interface ParameterAssignment extends Decorated {
  readonly kind: "ParameterAssignment";
  readonly keyword: Token;
  readonly name: Identifier;
  readonly assignment: Expected;
  readonly value: Expression;
}

/** `extensionConfig alias with { … }` */
export interface ExtensionConfiguration extends Decorated {
  readonly kind: "ExtensionConfiguration";
  readonly keyword: Token;
  readonly alias: Identifier;
  readonly configuration: WithClause | Skipped;
}

// ---------------------------------------------------------------------------------------------------- expressions

export type Expression =
  | BooleanLiteral
  | NullLiteral
  | IntegerLiteral
  | StringExpression
  | ObjectExpression
  | ArrayExpression
  | ForExpression
  | VariableAccess
  | PropertyAccess
  | ResourceAccess
  | ArrayAccess
  | FunctionCall
  | InstanceFunctionCall
  | NonNullAssertion
  | UnaryOperation
  | BinaryOperation
  | TernaryOperation
  | ParenthesizedExpression
  | Lambda
  | Skipped;

export interface BooleanLiteral extends NodeBase {
  readonly kind: "BooleanLiteral";
  readonly token: Token;
  readonly value: boolean;
}

export interface NullLiteral extends NodeBase {
  readonly kind: "NullLiteral";
  readonly token: Token;
}

/** At most 2^64 - 1; whether it fits its place is a matter of types. */
export interface IntegerLiteral extends NodeBase {
  readonly kind: "IntegerLiteral";
  readonly token: Token;
  readonly value: bigint;
}

/** A string with n holes has n + 1 tokens and n + 1 segments. */
export interface StringExpression extends NodeBase {
  readonly kind: "StringExpression";
  readonly tokens: readonly Token[];
  /** The text between the holes, escapes resolved. */
  readonly segments: readonly string[];
  readonly expressions: readonly Expression[];
}

export interface ObjectExpression extends NodeBase {
  readonly kind: "ObjectExpression";
  readonly open: Token;
  readonly items: readonly (ObjectElement | Token)[];
  readonly elements: readonly ObjectElement[];
  readonly close: Token;
}

/** Nested resources and dangling decorators appear only directly in the body of a resource. */
export type ObjectElement = ObjectProperty | Spread | ResourceDeclaration | DanglingDecorators | Skipped;

export interface ObjectProperty extends NodeBase {
  readonly kind: "ObjectProperty";
  readonly key: Identifier | StringExpression | Skipped;
  readonly colon: Expected;
  readonly value: Expression;
}

/** `...expression`, in an object or an array. */
export interface Spread extends NodeBase {
  readonly kind: "Spread";
  readonly ellipsis: Token;
  readonly expression: Expression;
}

export interface ArrayExpression extends NodeBase {
  readonly kind: "ArrayExpression";
  readonly open: Token;
  readonly items: readonly (ArrayElement | Token)[];
  readonly elements: readonly ArrayElement[];
  readonly close: Token;
}

export type ArrayElement = ArrayItem | Spread | Skipped;

export interface ArrayItem extends NodeBase {
  readonly kind: "ArrayItem";
  readonly value: Expression;
}

/** `[for variables in source: body]` */
export interface ForExpression extends NodeBase {
  readonly kind: "ForExpression";
  readonly open: Token;
  readonly openNewlines: readonly Token[];
  readonly forKeyword: Token;
  readonly variables: LocalVariable | ForVariableBlock | Skipped;
  readonly inKeyword: Expected;
  readonly source: Expression;
  readonly colon: Expected;
  /** A condition only in loops of resources and modules. */
  readonly body: Expression | IfCondition;
  readonly closeNewlines: readonly Token[];
  readonly close: Expected;
}

/** `(item, index)` */
export interface ForVariableBlock extends NodeBase {
  readonly kind: "ForVariableBlock";
  readonly open: Token;
  readonly items: readonly (LocalVariable | Skipped | Token)[];
  readonly variables: readonly LocalVariable[];
  readonly close: Expected;
}

/** A variable of a loop or a parameter of a lambda. */
export interface LocalVariable extends NodeBase {
  readonly kind: "LocalVariable";
  readonly name: Identifier;
}

export interface VariableAccess extends NodeBase {
  readonly kind: "VariableAccess";
  readonly name: Identifier;
}

/** `target.name`, `target.?name` */
export interface PropertyAccess extends NodeBase {
  readonly kind: "PropertyAccess";
  readonly target: Expression;
  readonly dot: Token;
  readonly safe: Token | undefined;
  readonly name: Identifier;
}

/** `target::name` */
export interface ResourceAccess extends NodeBase {
  readonly kind: "ResourceAccess";
  readonly target: Expression;
  readonly doubleColon: Token;
  readonly name: Identifier;
}

/** `target[index]`, `target[?index]`, `target[^index]`, `target[?^index]` */
export interface ArrayAccess extends NodeBase {
  readonly kind: "ArrayAccess";
  readonly target: Expression;
  readonly open: Token;
  readonly safe: Token | undefined;
  readonly fromEnd: Token | undefined;
  readonly index: Expression;
  readonly close: Token;
}

export interface FunctionCall extends NodeBase {
  readonly kind: "FunctionCall";
  readonly name: Identifier;
  readonly open: Token;
  readonly items: readonly (FunctionArgument | Skipped | Token)[];
  readonly args: readonly FunctionArgument[];
  readonly close: Expected;
}

/** `target.name(…)` */
export interface InstanceFunctionCall extends NodeBase {
  readonly kind: "InstanceFunctionCall";
  readonly target: Expression;
  readonly dot: Token;
  /** A `?` here is an error that is already reported. */
  readonly safe: Token | undefined;
  readonly name: Identifier;
  readonly open: Token;
  readonly items: readonly (FunctionArgument | Skipped | Token)[];
  readonly args: readonly FunctionArgument[];
  readonly close: Expected;
}

export interface FunctionArgument extends NodeBase {
  readonly kind: "FunctionArgument";
  readonly expression: Expression;
}

/** `target!` */
export interface NonNullAssertion extends NodeBase {
  readonly kind: "NonNullAssertion";
  readonly target: Expression;
  readonly bang: Token;
}

export type UnaryOperator = "!" | "-";

export interface UnaryOperation extends NodeBase {
  readonly kind: "UnaryOperation";
  readonly operator: UnaryOperator;
  readonly operatorToken: Token;
  readonly operand: Expression;
}

export type BinaryOperator =
  | "*"
  | "/"
  | "%"
  | "+"
  | "-"
  | "<"
  | "<="
  | ">"
  | ">="
  | "=="
  | "!="
  | "=~"
  | "!~"
  | "&&"
  | "||"
  | "??";

export interface BinaryOperation extends NodeBase {
  readonly kind: "BinaryOperation";
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly operatorToken: Token;
  readonly right: Expression;
}

export interface TernaryOperation extends NodeBase {
  readonly kind: "TernaryOperation";
  readonly condition: Expression;
  readonly questionNewlines: readonly Token[];
  readonly question: Token;
  readonly whenTrue: Expression;
  readonly colonNewlines: readonly Token[];
  readonly colon: Expected;
  readonly whenFalse: Expression;
}

export interface ParenthesizedExpression extends NodeBase {
  readonly kind: "ParenthesizedExpression";
  readonly open: Token;
  readonly expression: Expression;
  readonly close: Expected;
}

/** `x => body`, `(x, y) => body` */
export interface Lambda extends NodeBase {
  readonly kind: "Lambda";
  readonly parameters: LocalVariable | LambdaParameters;
  readonly arrow: Token;
  readonly newlines: readonly Token[];
  readonly body: Expression;
}

export interface LambdaParameters extends NodeBase {
  readonly kind: "LambdaParameters";
  readonly open: Token;
  readonly items: readonly (LocalVariable | Skipped | Token)[];
  readonly variables: readonly LocalVariable[];
  readonly close: Expected;
}

/** What follows the name in a `func` declaration: `(a string, b int) string => body` */
export interface TypedLambda extends NodeBase {
  readonly kind: "TypedLambda";
  readonly parameters: TypedParameters;
  readonly returnType: TypeExpression;
  readonly arrow: Expected;
  readonly newlines: readonly Token[];
  readonly body: Expression;
}

export interface TypedParameters extends NodeBase {
  readonly kind: "TypedParameters";
  readonly open: Token;
  readonly items: readonly (TypedParameter | Skipped | Token)[];
  readonly parameters: readonly TypedParameter[];
  readonly close: Expected;
}

export interface TypedParameter extends NodeBase {
  readonly kind: "TypedParameter";
  readonly name: Identifier;
  readonly type: TypeExpression;
}

// ---------------------------------------------------------------------------------------------------- types

export type TypeExpression =
  | TypeReference
  | TypePropertyAccess
  | TypeAdditionalPropertiesAccess
  | TypeArrayAccess
  | TypeItemsAccess
  | TypeInstantiation
  | InstanceTypeInstantiation
  | ResourceType
  | StringTypeLiteral
  | IntegerTypeLiteral
  | BooleanTypeLiteral
  | NullTypeLiteral
  | UnaryTypeOperation
  | ObjectType
  | TupleType
  | ArrayType
  | NullableType
  | NonNullableType
  | UnionType
  | ParenthesizedType
  | Skipped;

export interface TypeReference extends NodeBase {
  readonly kind: "TypeReference";
  readonly name: Identifier;
}

/** `target.name` */
export interface TypePropertyAccess extends NodeBase {
  readonly kind: "TypePropertyAccess";
  readonly target: TypeExpression;
  readonly dot: Token;
  readonly name: Identifier;
}

/** `target.*` */
export interface TypeAdditionalPropertiesAccess extends NodeBase {
  readonly kind: "TypeAdditionalPropertiesAccess";
  readonly target: TypeExpression;
  readonly dot: Token;
  readonly star: Token;
}

/** `target[0]` */
export interface TypeArrayAccess extends NodeBase {
  readonly kind: "TypeArrayAccess";
  readonly target: TypeExpression;
  readonly open: Token;
  readonly index: Expression;
  readonly close: Token;
}

/** `target[*]` */
export interface TypeItemsAccess extends NodeBase {
  readonly kind: "TypeItemsAccess";
  readonly target: TypeExpression;
  readonly open: Token;
  readonly star: Token;
  readonly close: Token;
}

/** `name<…>` */
export interface TypeInstantiation extends NodeBase {
  readonly kind: "TypeInstantiation";
  readonly name: Identifier;
  readonly open: Token;
  readonly items: readonly (TypeArgument | Skipped | Token)[];
  readonly args: readonly TypeArgument[];
  readonly close: Expected;
}

/** `target.name<…>` */
export interface InstanceTypeInstantiation extends NodeBase {
  readonly kind: "InstanceTypeInstantiation";
  readonly target: TypeExpression;
  readonly dot: Token;
  readonly name: Identifier;
  readonly open: Token;
  readonly items: readonly (TypeArgument | Skipped | Token)[];
  readonly args: readonly TypeArgument[];
  readonly close: Expected;
}

export interface TypeArgument extends NodeBase {
  readonly kind: "TypeArgument";
  readonly type: TypeExpression;
}

/** `resource 'T@v'`; an output may leave the string out. */
export interface ResourceType extends NodeBase {
  readonly kind: "ResourceType";
  readonly keyword: Token;
  readonly type: StringExpression | Skipped | undefined;
}

export interface StringTypeLiteral extends NodeBase {
  readonly kind: "StringTypeLiteral";
  readonly value: StringExpression;
}

export interface IntegerTypeLiteral extends NodeBase {
  readonly kind: "IntegerTypeLiteral";
  readonly token: Token;
  readonly value: bigint;
}

export interface BooleanTypeLiteral extends NodeBase {
  readonly kind: "BooleanTypeLiteral";
  readonly token: Token;
  readonly value: boolean;
}

export interface NullTypeLiteral extends NodeBase {
  readonly kind: "NullTypeLiteral";
  readonly token: Token;
}

/** `-1`, `!true` */
export interface UnaryTypeOperation extends NodeBase {
  readonly kind: "UnaryTypeOperation";
  readonly operator: UnaryOperator;
  readonly operatorToken: Token;
  readonly operand: TypeExpression;
}

export interface ObjectType extends NodeBase {
  readonly kind: "ObjectType";
  readonly open: Token;
  readonly items: readonly (ObjectTypeElement | Token)[];
  readonly elements: readonly ObjectTypeElement[];
  readonly close: Token;
}

export type ObjectTypeElement = ObjectTypeProperty | ObjectTypeAdditionalProperties | Skipped;

export interface ObjectTypeProperty extends Decorated {
  readonly kind: "ObjectTypeProperty";
  readonly key: Identifier | StringExpression | Skipped;
  readonly colon: Expected;
  readonly type: TypeExpression;
}

/** `*: type` */
export interface ObjectTypeAdditionalProperties extends Decorated {
  readonly kind: "ObjectTypeAdditionalProperties";
  readonly star: Token;
  readonly colon: Expected;
  readonly type: TypeExpression;
}

export interface TupleType extends NodeBase {
  readonly kind: "TupleType";
  readonly open: Token;
  readonly items: readonly (TupleTypeItem | Skipped | Token)[];
  readonly elements: readonly (TupleTypeItem | Skipped)[];
  readonly close: Token;
}

export interface TupleTypeItem extends Decorated {
  readonly kind: "TupleTypeItem";
  readonly type: TypeExpression;
}

/** `item[]` */
export interface ArrayType extends NodeBase {
  readonly kind: "ArrayType";
  readonly item: TypeExpression;
  readonly open: Token;
  readonly close: Token;
}

/** `base?` */
export interface NullableType extends NodeBase {
  readonly kind: "NullableType";
  readonly base: TypeExpression;
  readonly question: Token;
}

/** `base!` */
export interface NonNullableType extends NodeBase {
  readonly kind: "NonNullableType";
  readonly base: TypeExpression;
  readonly bang: Token;
}

/** Two members or more, or one behind a leading bar. */
export interface UnionType extends NodeBase {
  readonly kind: "UnionType";
  /** Members, bars and the newlines before bars. */
  readonly items: readonly (UnionTypeMember | Skipped | Token)[];
  readonly members: readonly UnionTypeMember[];
}

export interface UnionTypeMember extends NodeBase {
  readonly kind: "UnionTypeMember";
  readonly type: TypeExpression;
}

export interface ParenthesizedType extends NodeBase {
  readonly kind: "ParenthesizedType";
  readonly open: Token;
  readonly type: TypeExpression;
  readonly close: Expected;
}

// ---------------------------------------------------------------------------------------------------- all of them

export type Node =
  | Program
  | Statement
  | Decorator
  | Identifier
  | ParameterDefault
  | IfCondition
  | ImportList
  | ImportedSymbol
  | WildcardImport
  | AsClause
  | ImportFrom
  | WithClause
  | Expression
  | ObjectProperty
  | Spread
  | ArrayItem
  | ForVariableBlock
  | LocalVariable
  | FunctionArgument
  | LambdaParameters
  | TypedLambda
  | TypedParameters
  | TypedParameter
  | TypeExpression
  | TypeArgument
  | ObjectTypeProperty
  | ObjectTypeAdditionalProperties
  | TupleTypeItem
  | UnionTypeMember;

export type NodeKind = Node["kind"];
export type NodeOf<K extends NodeKind> = Extract<Node, { readonly kind: K }>;
