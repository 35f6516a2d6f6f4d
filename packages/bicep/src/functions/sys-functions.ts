import {
  anyArray,
  anyObject,
  anyType,
  arrayOf,
  boolType,
  FunctionFlags,
  intType,
  lambdaOf,
  neverType,
  nullType,
  objectOf,
  overload,
  parameter,
  PropertyFlags,
  propertyOf,
  stringLiteral,
  stringOf,
  stringType,
  unionOf,
} from "../types/index.ts";
import type {
  FunctionOverload,
  FunctionParameter,
  OverloadOptions,
  ParameterOptions,
  ResultBuilder,
  Type,
} from "../types/index.ts";
import {
  concatenated,
  entriesOf,
  firstItem,
  flattened,
  greatest,
  integerRange,
  lastItem,
  least,
  lengthOf,
  skippedItems,
  takenItems,
} from "./array-results.ts";
import { loadedFile, nameOfArgument, parsedJson } from "./compile-time-results.ts";
import {
  filtered,
  filterLambda,
  grouped,
  keyed,
  keyLambda,
  mapLambda,
  mapped,
  mappedMembers,
  memberLambda,
  reduced,
  reduceLambda,
  sorted,
  sortLambda,
  valueLambda,
} from "./lambda-results.ts";
import { folded as fold, typed } from "./results.ts";
import {
  cut,
  lengthWithin,
  notLonger,
  oneCharacter,
  padded,
  positionIn,
  sameLength,
  skipped,
  startWithin,
  taken,
} from "./string-results.ts";

const { Pure, ParamDefaultsOnly, ArgumentValueIndependent, LoadsFile, VariableAlways, VariableUnlessDirect } =
  FunctionFlags;

const scalar = unionOf([stringType, intType, boolType]);
const stringArray = arrayOf(stringType);
/** Splitting leaves at least one piece, so its first and last are there. */
const pieces = arrayOf(stringType, { minLength: 1 });
const intArray = arrayOf(intType);
const objectArray = arrayOf(anyObject);
const hashText = stringOf({ minLength: 13, maxLength: 13 });
const guidText = stringOf({ minLength: 36, maxLength: 36 });
const indexedItem = lambdaOf([anyType], anyType, [intType]);
const encodings = unionOf(["us-ascii", "iso-8859-1", "utf-8", "utf-16BE", "utf-16"].map((name) => stringLiteral(name)));

const uriParts = objectOf(
  [
    propertyOf("scheme", stringType, PropertyFlags.Required),
    propertyOf("host", stringType, PropertyFlags.Required),
    propertyOf("port", intType),
    propertyOf("path", stringType),
    propertyOf("query", stringType),
  ],
  { name: "parseUri" },
);

const cidrParts = objectOf(
  [
    propertyOf("network", stringType),
    propertyOf("netmask", stringType),
    propertyOf("broadcast", stringType),
    propertyOf("firstUsable", stringType),
    propertyOf("lastUsable", stringType),
    propertyOf("cidr", intType),
  ],
  { name: "parseCidr" },
);

/** The functions that every file has, in the order in which overloads are tried. */
export const sysFunctions: readonly FunctionOverload[] = [
  pure("any", [given("value", anyType)], anyType),
  pure("array", [given("valueToConvert", anyType)], anyArray),
  pure("base64", [given("inputString", stringType)], stringType, fold("base64", stringType)),
  pure("base64ToJson", [given("base64Value", stringType)], anyType, fold("base64ToJson", anyType)),
  pure("base64ToString", [given("base64Value", stringType)], stringType, fold("base64ToString", stringType)),
  pure("bool", [given("value", anyType)], boolType),
  pure("buildUri", [given("components", uriParts)], stringType),
  pure("cidrHost", [given("network", stringType), given("hostIndex", intType)], stringType),
  pure("cidrSubnet", [given("network", stringType), given("cidr", intType), given("subnetIndex", intType)], stringType),
  variadic("concat", anyArray, 1, anyArray, fold("concat", concatenated)),
  variadic("concat", scalar, 1, stringType),
  pure(
    "contains",
    [given("object", anyObject), given("propertyName", stringType)],
    boolType,
    fold("contains", boolType),
  ),
  pure("contains", [given("array", anyArray), given("itemToFind", anyType)], boolType, fold("contains", boolType)),
  pure(
    "contains",
    [given("string", stringType), given("itemToFind", stringType)],
    boolType,
    fold("contains", boolType),
  ),
  pure("dataUri", [given("valueToConvert", anyType)], stringType, fold("dataUri", stringType)),
  pure("dataUriToString", [given("dataUriToConvert", stringType)], stringType, fold("dataUriToString", stringType)),
  pure(
    "dateTimeAdd",
    [given("base", stringType), given("duration", stringType), maybe("format", stringType)],
    stringType,
  ),
  pure("dateTimeFromEpoch", [maybe("epochTime", intType)], stringType),
  pure("dateTimeToEpoch", [maybe("dateTime", stringType)], intType),
  pure("distinct", [given("array", anyArray)], anyArray, fold("distinct", anyArray)),
  pure(
    "empty",
    [given("itemToTest", unionOf([nullType, anyObject, anyArray, stringType]))],
    boolType,
    fold("empty", boolType),
  ),
  pure("endsWith", searchParameters(), boolType, fold("endsWith", boolType)),
  overload("fail", { parameters: [given("message", stringType)], returns: neverType }),
  pure(
    "filter",
    [given("array", anyArray), given("predicate", lambdaOf([anyType], boolType, [intType]), { typeFor: filterLambda })],
    anyArray,
    typed(filtered),
  ),
  pure("first", [given("array", anyArray)], anyType, typed(firstItem)),
  pure("first", [given("string", stringType)], stringType, fold("first", oneCharacter)),
  pure("flatten", [given("array", arrayOf(anyArray))], anyArray, flattened),
  pure("format", [given("formatString", stringType)], stringType, fold("format", stringType), ["arg", anyType, 0]),
  pure("groupBy", keyAndValueParameters(), anyObject, typed(grouped)),
  variadic("guid", stringType, 1, stringType, fold("guid", guidText)),
  pure("indexOf", searchParameters(), intType, fold("indexOf", positionIn)),
  pure("indexOf", [given("array", anyArray), given("itemToFind", anyType)], intType, fold("indexOf", positionIn)),
  pure("int", [given("valueToConvert", unionOf([stringType, intType]))], intType),
  variadic("intersection", anyObject, 2, anyObject, fold("intersection", anyObject)),
  variadic("intersection", anyArray, 2, anyArray, fold("intersection", anyArray)),
  pure("items", [given("object", anyObject)], objectArray, typed(entriesOf)),
  pure(
    "join",
    [given("inputArray", arrayOf(scalar)), given("delimiter", stringType)],
    stringType,
    fold("join", stringType),
  ),
  pure("json", [given("json", stringType)], anyType, parsedJson),
  pure("last", [given("array", anyArray)], anyType, typed(lastItem)),
  pure("last", [given("string", stringType)], stringType, fold("last", oneCharacter)),
  pure("lastIndexOf", searchParameters(), intType, fold("lastIndexOf", positionIn)),
  pure(
    "lastIndexOf",
    [given("array", anyArray), given("itemToFind", anyType)],
    intType,
    fold("lastIndexOf", positionIn),
  ),
  pure("length", [given("arg", unionOf([stringType, anyObject]))], intType, fold("length", lengthOf)),
  pure("length", [given("arg", anyArray)], intType, fold("length", lengthOf)),
  pure("like", [given("input", stringType), given("pattern", stringType)], boolType, fold("like", boolType)),
  loads("loadDirectoryFileInfo", {
    parameters: [file("directoryPath", stringType), file("searchPattern", stringType, true)],
    returns: anyType,
    flags: VariableAlways,
    result: loadedFile("directory", objectArray, { selector: 1 }),
  }),
  loads("loadFileAsBase64", {
    parameters: [file("filePath", stringType)],
    returns: stringType,
    flags: VariableUnlessDirect,
    result: loadedFile("base64", stringType, {}),
  }),
  loads("loadJsonContent", {
    parameters: [file("filePath", stringType), file("jsonPath", stringType, true), file("encoding", encodings, true)],
    returns: anyType,
    flags: VariableAlways,
    result: loadedFile("json", anyType, { selector: 1, encoding: 2 }),
  }),
  loads("loadTextContent", {
    parameters: [file("filePath", stringType), file("encoding", encodings, true)],
    returns: stringType,
    flags: VariableUnlessDirect,
    result: loadedFile("text", stringType, { encoding: 1 }),
  }),
  loads("loadYamlContent", {
    parameters: [file("filePath", stringType), file("pathFilter", stringType, true), file("encoding", encodings, true)],
    returns: anyType,
    flags: VariableAlways,
    result: loadedFile("yaml", anyType, { selector: 1, encoding: 2 }),
  }),
  pure(
    "map",
    [given("array", anyArray), given("predicate", indexedItem, { typeFor: mapLambda })],
    anyArray,
    typed(mapped),
  ),
  pure(
    "mapValues",
    [given("object", anyObject), given("predicate", lambdaOf([anyType], anyType), { typeFor: memberLambda })],
    // Stated so upstream; the result below is the object that the function really gives.
    anyArray,
    typed(mappedMembers),
  ),
  variadic("max", intType, 1, intType, fold("max", greatest)),
  pure("max", [given("intArray", intArray)], intType, fold("max", greatest)),
  variadic("min", intType, 1, intType, fold("min", least)),
  pure("min", [given("intArray", intArray)], intType, fold("min", least)),
  overload("nameof", {
    parameters: [given("symbol", anyType)],
    returns: stringType,
    flags: Pure | ArgumentValueIndependent,
    result: nameOfArgument,
  }),
  overload("newGuid", { returns: stringType, flags: ParamDefaultsOnly, result: typed(() => guidText) }),
  pure("objectKeys", [given("object", anyObject)], stringArray),
  pure(
    "padLeft",
    [
      given("valueToPad", unionOf([stringType, intType])),
      given("totalLength", intType),
      maybe("paddingCharacter", stringType),
    ],
    stringType,
    fold("padLeft", padded),
  ),
  pure("parseCidr", [given("network", stringType)], cidrParts),
  pure("parseUri", [given("baseUrl", stringType)], uriParts),
  pure("range", [given("startIndex", intType), given("count", intType)], intArray, typed(integerRange)),
  pure(
    "reduce",
    [
      given("array", anyArray),
      given("initialValue", anyType),
      given("predicate", lambdaOf([anyType, anyType], anyType, [intType]), { typeFor: reduceLambda }),
    ],
    anyType,
    typed(reduced),
  ),
  pure(
    "replace",
    [given("originalString", stringType), given("oldString", stringType), given("newString", stringType)],
    stringType,
    fold("replace", stringType),
  ),
  pure("shallowMerge", [given("entries", objectArray)], anyObject, fold("shallowMerge", anyObject)),
  pure(
    "skip",
    [given("originalValue", anyArray), given("numberToSkip", intType)],
    anyArray,
    fold("skip", skippedItems),
  ),
  pure("skip", [given("originalValue", stringType), given("numberToSkip", intType)], stringType, fold("skip", skipped)),
  pure(
    "sort",
    [given("array", anyArray), given("predicate", lambdaOf([anyType, anyType], boolType), { typeFor: sortLambda })],
    anyArray,
    typed(sorted),
  ),
  pure(
    "split",
    [given("inputString", stringType), given("delimiter", unionOf([stringType, anyArray]))],
    pieces,
    fold("split", pieces),
  ),
  pure("startsWith", searchParameters(), boolType, fold("startsWith", boolType)),
  pure("string", [given("valueToConvert", anyType)], stringType),
  pure(
    "substring",
    [
      given("stringToParse", stringType),
      given("startIndex", intType, { typeFor: startWithin }),
      maybe("length", intType, { typeFor: lengthWithin }),
    ],
    stringType,
    fold("substring", cut),
  ),
  pure("take", [given("originalValue", anyArray), given("numberToTake", intType)], anyArray, fold("take", takenItems)),
  pure("take", [given("originalValue", stringType), given("numberToTake", intType)], stringType, fold("take", taken)),
  pure("toLower", [given("stringToChange", stringType)], stringType, fold("toLower", sameLength)),
  pure("toObject", keyAndValueParameters(), anyObject, typed(keyed)),
  pure("toUpper", [given("stringToChange", stringType)], stringType, fold("toUpper", sameLength)),
  pure("trim", [given("stringToTrim", stringType)], stringType, fold("trim", notLonger)),
  variadic("union", anyObject, 2, anyObject, fold("union", anyObject)),
  variadic("union", anyArray, 2, anyArray, fold("union", anyArray)),
  variadic("uniqueString", stringType, 1, stringType, fold("uniqueString", hashText)),
  pure("uri", [given("baseUri", stringType), given("relativeUri", stringType)], stringType, fold("uri", stringType)),
  pure("uriComponent", [given("stringToEncode", stringType)], stringType, fold("uriComponent", stringType)),
  pure(
    "uriComponentToString",
    [given("uriEncodedString", stringType)],
    stringType,
    fold("uriComponentToString", stringType),
  ),
  overload("utcNow", { parameters: [maybe("format", stringType)], returns: stringType, flags: ParamDefaultsOnly }),
];

function pure(
  name: string,
  parameters: readonly FunctionParameter[],
  returns: Type,
  result?: ResultBuilder,
  more?: readonly [namePrefix: string, type: Type, minimum: number],
): FunctionOverload {
  const options: OverloadOptions = { parameters, returns, flags: Pure, ...(result && { result }) };
  if (more === undefined) {
    return overload(name, options);
  }
  const [namePrefix, type, minimum] = more;
  return overload(name, { ...options, variadic: { namePrefix, type, minimum } });
}

function variadic(name: string, type: Type, minimum: number, returns: Type, result?: ResultBuilder): FunctionOverload {
  return pure(name, [], returns, result, ["arg", type, minimum]);
}

function loads(name: string, options: OverloadOptions): FunctionOverload {
  return overload(name, { ...options, flags: Pure | LoadsFile | (options.flags ?? 0) });
}

function given(name: string, type: Type, options: ParameterOptions = {}): FunctionParameter {
  return parameter(name, type, options);
}

function maybe(name: string, type: Type, options: ParameterOptions = {}): FunctionParameter {
  return parameter(name, type, { ...options, optional: true });
}

/** An argument of a file function: literal types will do, which is why it is not marked as constant. */
function file(name: string, type: Type, optional = false): FunctionParameter {
  return parameter(name, type, { optional });
}

function searchParameters(): FunctionParameter[] {
  return [given("stringToSearch", stringType), given("stringToFind", stringType)];
}

function keyAndValueParameters(): FunctionParameter[] {
  return [
    given("array", anyArray),
    given("keyPredicate", lambdaOf([anyType], stringType), { typeFor: keyLambda }),
    maybe("valuePredicate", lambdaOf([anyType], anyType), { typeFor: valueLambda }),
  ];
}
