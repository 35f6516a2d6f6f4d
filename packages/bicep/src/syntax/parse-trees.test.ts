import assert from "node:assert/strict";
import { it } from "node:test";
import { parseBicep, parseParams } from "./parse.ts";
import { sketch } from "./testing/sketch.ts";
import { walk } from "./walk.ts";

const bicepFiles: readonly (readonly [source: string, tree: string])[] = [
  ["targetScope = 'subscription'", "(TargetScope (StringExpression 'subscription'))"],
  [
    "metadata owner = { team: 'core' }",
    "(MetadataDeclaration owner (ObjectExpression (ObjectProperty team (StringExpression 'core'))))",
  ],
  ["param a string", "(ParameterDeclaration a (TypeReference string))"],
  [
    "@secure()\nparam a string = 'x'",
    "(ParameterDeclaration (Decorator (FunctionCall secure)) a (TypeReference string) (ParameterDefault (StringExpression 'x')))",
  ],
  ["param a resource 'N/t@v'", "(ParameterDeclaration a (ResourceType (StringExpression 'N/t@v')))"],
  ["var a = 1", "(VariableDeclaration a (IntegerLiteral 1))"],
  [
    "var a string[] = ['x']",
    "(VariableDeclaration a (ArrayType (TypeReference string)) (ArrayExpression (ArrayItem (StringExpression 'x'))))",
  ],
  [
    "type a = 'x' | 'y'",
    "(TypeDeclaration a (UnionType (UnionTypeMember (StringTypeLiteral (StringExpression 'x'))) (UnionTypeMember (StringTypeLiteral (StringExpression 'y')))))",
  ],
  [
    "func f(a string, b int?) string => a",
    "(FunctionDeclaration f (TypedLambda (TypedParameters (TypedParameter a (TypeReference string)) (TypedParameter b (NullableType (TypeReference int)))) (TypeReference string) (VariableAccess a)))",
  ],
  [
    "func f(\n  a string,\n  b int\n) string =>\n  a",
    "(FunctionDeclaration f (TypedLambda (TypedParameters (TypedParameter a (TypeReference string)) (TypedParameter b (TypeReference int))) (TypeReference string) (VariableAccess a)))",
  ],
  ["resource a 'N/t@v' = {}", "(ResourceDeclaration a (StringExpression 'N/t@v') (ObjectExpression))"],
  [
    "resource a 'N/t@v' existing = {\n  name: 'x'\n}",
    "(ResourceDeclaration a (StringExpression 'N/t@v') existing (ObjectExpression (ObjectProperty name (StringExpression 'x'))))",
  ],
  [
    "resource a 'N/t@v' = if (b) {}",
    "(ResourceDeclaration a (StringExpression 'N/t@v') (IfCondition (ParenthesizedExpression (VariableAccess b)) (ObjectExpression)))",
  ],
  [
    "resource a 'N/t@v' =\nif (b) {}",
    "(ResourceDeclaration a (StringExpression 'N/t@v') (IfCondition (ParenthesizedExpression (VariableAccess b)) (ObjectExpression)))",
  ],
  [
    "resource a 'N/t@v' = [for (x, i) in y: if (x) { name: x }]",
    "(ResourceDeclaration a (StringExpression 'N/t@v') (ForExpression (ForVariableBlock (LocalVariable x) (LocalVariable i)) (VariableAccess y) (IfCondition (ParenthesizedExpression (VariableAccess x)) (ObjectExpression (ObjectProperty name (VariableAccess x))))))",
  ],
  [
    "resource a 'N/t@v' = {\n  @batchSize(1)\n  resource b 'u' = {}\n}",
    "(ResourceDeclaration a (StringExpression 'N/t@v') (ObjectExpression (ResourceDeclaration (Decorator (FunctionCall batchSize (FunctionArgument (IntegerLiteral 1)))) b (StringExpression 'u') (ObjectExpression))))",
  ],
  [
    "module a './b.bicep' = { params: {} }",
    "(ModuleDeclaration a (StringExpression './b.bicep') (ObjectExpression (ObjectProperty params (ObjectExpression))))",
  ],
  [
    "module a './b.bicep' = [for x in y: {}]",
    "(ModuleDeclaration a (StringExpression './b.bicep') (ForExpression (LocalVariable x) (VariableAccess y) (ObjectExpression)))",
  ],
  ["output a string = b", "(OutputDeclaration a (TypeReference string) (VariableAccess b))"],
  ["output a resource = b", "(OutputDeclaration a (ResourceType) (VariableAccess b))"],
  [
    "output a resource 'N/t@v' = b",
    "(OutputDeclaration a (ResourceType (StringExpression 'N/t@v')) (VariableAccess b))",
  ],
  ["assert a = b", "(AssertDeclaration a (VariableAccess b))"],
  ["test a './b.bicep' = {}", "(TestDeclaration a (StringExpression './b.bicep') (ObjectExpression))"],
  [
    "import { a, b as c, 'd-e' as f } from 'x.bicep'",
    "(ImportDeclaration (ImportList (ImportedSymbol a) (ImportedSymbol b (AsClause c)) (ImportedSymbol (StringExpression 'd-e') (AsClause f))) (ImportFrom (StringExpression 'x.bicep')))",
  ],
  [
    "import * as n from 'x.bicep'",
    "(ImportDeclaration (WildcardImport (AsClause n)) (ImportFrom (StringExpression 'x.bicep')))",
  ],
  ["extension a", "(ExtensionDeclaration a)"],
  [
    "extension 'br:x' with { y: 1 } as z",
    "(ExtensionDeclaration (StringExpression 'br:x') (WithClause (ObjectExpression (ObjectProperty y (IntegerLiteral 1)))) (AsClause z))",
  ],
  ["import 'br:x' as z", "(ExtensionDeclaration (StringExpression 'br:x') (AsClause z))"],
  [
    "@a()\n@b.c(1)\n@d\nvar e = 1",
    "(VariableDeclaration (Decorator (FunctionCall a)) (Decorator (InstanceFunctionCall (VariableAccess b) c (FunctionArgument (IntegerLiteral 1)))) (Decorator (VariableAccess d)) e (IntegerLiteral 1))",
  ],
  [
    "var a = b + c * d - e",
    "(VariableDeclaration a (BinaryOperation (BinaryOperation (VariableAccess b) + (BinaryOperation (VariableAccess c) * (VariableAccess d))) - (VariableAccess e)))",
  ],
  [
    "var a = b ?? c || d && e == f < g",
    "(VariableDeclaration a (BinaryOperation (VariableAccess b) ?? (BinaryOperation (VariableAccess c) || (BinaryOperation (VariableAccess d) && (BinaryOperation (VariableAccess e) == (BinaryOperation (VariableAccess f) < (VariableAccess g)))))))",
  ],
  [
    "var a = !b && -c > 1",
    "(VariableDeclaration a (BinaryOperation (UnaryOperation ! (VariableAccess b)) && (BinaryOperation (UnaryOperation - (VariableAccess c)) > (IntegerLiteral 1))))",
  ],
  [
    "var a = b ? c : d ? e : f",
    "(VariableDeclaration a (TernaryOperation (VariableAccess b) (VariableAccess c) (TernaryOperation (VariableAccess d) (VariableAccess e) (VariableAccess f))))",
  ],
  [
    "var a = b\n  ? c\n  : d",
    "(VariableDeclaration a (TernaryOperation (VariableAccess b) (VariableAccess c) (VariableAccess d)))",
  ],
  [
    "var a = b.c.?d[0][?1][^2][?^3]!::e",
    "(VariableDeclaration a (ResourceAccess (NonNullAssertion (ArrayAccess (ArrayAccess (ArrayAccess (ArrayAccess (PropertyAccess (PropertyAccess (VariableAccess b) c) ? d) (IntegerLiteral 0)) ? (IntegerLiteral 1)) ^ (IntegerLiteral 2)) ? ^ (IntegerLiteral 3))) e))",
  ],
  [
    "var a = f(1, b.g(x => x, (y, z) => y))",
    "(VariableDeclaration a (FunctionCall f (FunctionArgument (IntegerLiteral 1)) (FunctionArgument (InstanceFunctionCall (VariableAccess b) g (FunctionArgument (Lambda (LocalVariable x) (VariableAccess x))) (FunctionArgument (Lambda (LambdaParameters (LocalVariable y) (LocalVariable z)) (VariableAccess y)))))))",
  ],
  [
    "var a = map(b, x =>\n  x)",
    "(VariableDeclaration a (FunctionCall map (FunctionArgument (VariableAccess b)) (FunctionArgument (Lambda (LocalVariable x) (VariableAccess x)))))",
  ],
  ["var a = (b)", "(VariableDeclaration a (ParenthesizedExpression (VariableAccess b)))"],
  ["var a = []", "(VariableDeclaration a (ArrayExpression))"],
  [
    "var a = [1, 2, ...b]",
    "(VariableDeclaration a (ArrayExpression (ArrayItem (IntegerLiteral 1)) (ArrayItem (IntegerLiteral 2)) (Spread (VariableAccess b))))",
  ],
  [
    "var a = {\n  b: 1\n  'c': 2, '${d}e': 3\n  ...f\n}",
    "(VariableDeclaration a (ObjectExpression (ObjectProperty b (IntegerLiteral 1)) (ObjectProperty (StringExpression 'c') (IntegerLiteral 2)) (ObjectProperty (StringExpression '${ (VariableAccess d) }e') (IntegerLiteral 3)) (Spread (VariableAccess f))))",
  ],
  [
    "var a = [for x in y: x]",
    "(VariableDeclaration a (ForExpression (LocalVariable x) (VariableAccess y) (VariableAccess x)))",
  ],
  [
    "var a = [\n  for x in y: x\n]",
    "(VariableDeclaration a (ForExpression (LocalVariable x) (VariableAccess y) (VariableAccess x)))",
  ],
  ["var a = true\nvar b = null", "(VariableDeclaration a (BooleanLiteral true)) (VariableDeclaration b (NullLiteral))"],
  [
    "var a = 'x${b}y${'z${c}'}w'",
    "(VariableDeclaration a (StringExpression 'x${ (VariableAccess b) }y${ (StringExpression 'z${ (VariableAccess c) }') }w'))",
  ],
  ["var a = $'''x${b}y'''", "(VariableDeclaration a (StringExpression $'''x${ (VariableAccess b) }y'''))"],
  ["var if = for", "(VariableDeclaration if (VariableAccess for))"],
  ["type a = string[]?", "(TypeDeclaration a (NullableType (ArrayType (TypeReference string))))"],
  [
    "type a = [string, int!]",
    "(TypeDeclaration a (TupleType (TupleTypeItem (TypeReference string)) (TupleTypeItem (NonNullableType (TypeReference int)))))",
  ],
  [
    "type a = {\n  @secure()\n  b: string\n  'c': int\n  *: bool\n}",
    "(TypeDeclaration a (ObjectType (ObjectTypeProperty (Decorator (FunctionCall secure)) b (TypeReference string)) (ObjectTypeProperty (StringExpression 'c') (TypeReference int)) (ObjectTypeAdditionalProperties (TypeReference bool))))",
  ],
  [
    "type a = b.c.*[*][0]",
    "(TypeDeclaration a (TypeArrayAccess (TypeItemsAccess (TypeAdditionalPropertiesAccess (TypePropertyAccess (TypeReference b) c))) (IntegerLiteral 0)))",
  ],
  [
    "type a = resourceInput<'x'>.y",
    "(TypeDeclaration a (TypePropertyAccess (TypeInstantiation resourceInput (TypeArgument (StringTypeLiteral (StringExpression 'x')))) y))",
  ],
  [
    "type a = sys.resourceInput<'x', 'y'>",
    "(TypeDeclaration a (InstanceTypeInstantiation (TypeReference sys) resourceInput (TypeArgument (StringTypeLiteral (StringExpression 'x'))) (TypeArgument (StringTypeLiteral (StringExpression 'y')))))",
  ],
  [
    "type a = -1 | !true | null",
    "(TypeDeclaration a (UnionType (UnionTypeMember (UnaryTypeOperation - (IntegerTypeLiteral 1))) (UnionTypeMember (UnaryTypeOperation ! (BooleanTypeLiteral true))) (UnionTypeMember (NullTypeLiteral))))",
  ],
  [
    "type a =\n  | 'x'\n  | 'y'",
    "(TypeDeclaration a (UnionType (UnionTypeMember (StringTypeLiteral (StringExpression 'x'))) (UnionTypeMember (StringTypeLiteral (StringExpression 'y')))))",
  ],
  [
    "type a = (b | c)[]",
    "(TypeDeclaration a (ArrayType (ParenthesizedType (UnionType (UnionTypeMember (TypeReference b)) (UnionTypeMember (TypeReference c))))))",
  ],
  ["foo\nvar a = 1", "(VariableDeclaration a (IntegerLiteral 1))"],
  ["var a =", "(VariableDeclaration a (Skipped))"],
  ["var a = b.", "(VariableDeclaration a (PropertyAccess (VariableAccess b) <missing>))"],
  ["@a()\nfoo", "(DanglingDecorators (Decorator (FunctionCall a)))"],
  [
    "var a = (1, 2)",
    "(VariableDeclaration a (ParenthesizedExpression (Skipped (IntegerLiteral 1) , (IntegerLiteral 2))))",
  ],
  ["param 5 string", "(ParameterDeclaration <error> (TypeReference string))"],
  ["var a = 'x\nvar b = 1", "(VariableDeclaration a (Skipped 'x)) (VariableDeclaration b (IntegerLiteral 1))"],
  ["var a = '${b c}'", "(VariableDeclaration a (StringExpression '${ (Skipped (VariableAccess b) (Skipped c)) }'))"],
];

const parametersFiles: readonly (readonly [source: string, tree: string])[] = [
  ["using 'main.bicep'", "(UsingDeclaration (StringExpression 'main.bicep'))"],
  ["using none", "(UsingDeclaration)"],
  [
    "using 'x' with { a: 1 }",
    "(UsingDeclaration (StringExpression 'x') (WithClause (ObjectExpression (ObjectProperty a (IntegerLiteral 1)))))",
  ],
  ["extends 'base.bicepparam'", "(ExtendsDeclaration (StringExpression 'base.bicepparam'))"],
  ["param a = 1", "(ParameterAssignment a (IntegerLiteral 1))"],
  ["var a int = 1", "(VariableDeclaration a (TypeReference int) (IntegerLiteral 1))"],
  ["type a = int", "(TypeDeclaration a (TypeReference int))"],
  ["import * as b from 'x'", "(ImportDeclaration (WildcardImport (AsClause b)) (ImportFrom (StringExpression 'x')))"],
  ["extension a", "(ExtensionDeclaration a)"],
  [
    "extensionConfig a with { b: 1 }",
    "(ExtensionConfiguration a (WithClause (ObjectExpression (ObjectProperty b (IntegerLiteral 1)))))",
  ],
  ["param a", "(ParameterAssignment a (Skipped) (Skipped))"],
];

for (const [source, tree] of bicepFiles) {
  it(`reads ${JSON.stringify(source)}`, () => {
    const file = parseBicep(source);

    assert.equal(sketch(file), tree);
  });
}

for (const [source, tree] of parametersFiles) {
  it(`reads the parameters file ${JSON.stringify(source)}`, () => {
    const file = parseParams(source);

    assert.equal(sketch(file), tree);
  });
}

it("gives the value of booleans, in expressions and in types", () => {
  const values: boolean[] = [];

  walk(parseBicep("var a = [true, false]\ntype b = true | false").program, (node) => {
    if (node.kind === "BooleanLiteral" || node.kind === "BooleanTypeLiteral") {
      values.push(node.value);
    }
  });

  assert.deepEqual(values, [true, false, true, false]);
});

it("lists elements apart from the newlines and commas between them", () => {
  const lengths = new Map<string, number>();

  walk(parseBicep("func f(a int, b int) int => g([a, b], { c: a\nd: b }, (x, y) => x)").program, (node) => {
    switch (node.kind) {
      case "TypedParameters":
        lengths.set(node.kind, node.parameters.length);
        break;
      case "FunctionCall":
        lengths.set(node.kind, node.args.length);
        break;
      case "LambdaParameters":
        lengths.set(node.kind, node.variables.length);
        break;
      case "ArrayExpression":
      case "ObjectExpression":
        lengths.set(node.kind, node.elements.length);
        break;
      default:
    }
  });

  const expected = {
    TypedParameters: 2,
    FunctionCall: 3,
    ArrayExpression: 2,
    ObjectExpression: 2,
    LambdaParameters: 2,
  };
  assert.deepEqual(Object.fromEntries(lengths), expected);
});
