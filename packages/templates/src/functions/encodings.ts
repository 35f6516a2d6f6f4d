import { checkTextLength } from "../budget.ts";
import { decodeBase64, decodeUtf8, encodeBase64, encodeUtf8 } from "../text/bytes.ts";
import { percentDecode, percentEncode } from "../text/percent-encoding.ts";
import { parseJson } from "../values/json-parser.ts";
import type { Value } from "../values/value.ts";
import { define, type FunctionCall, type FunctionDefinition } from "./function-call.ts";
import { textOf } from "./strings.ts";

export const encodingFunctions: readonly FunctionDefinition[] = [
  define("base64", 1, (call) => encoded(call, call.string(0)), 4),
  define("base64ToString", 1, (call) => decoded(call, call.string(0)), 4),
  define("base64ToJson", 1, (call) => parsed(call, decoded(call, call.string(0))), 6),
  define("json", 1, (call) => parsed(call, call.string(0))),
  define("dataUri", 1, dataUri, 6),
  define("dataUriToString", 1, dataUriToString, 6),
  define("uriComponent", 1, uriComponent, 8),
  define("uriComponentToString", 1, uriComponentToString, 8),
];

function parsed(call: FunctionCall, text: string): Value {
  return parseJson(text, call.budget);
}

function encoded(call: FunctionCall, text: string): string {
  checkTextLength(text.length * 4);
  call.budget.spend(text.length);
  return encodeBase64(encodeUtf8(text));
}

function decoded(call: FunctionCall, base64: string): string {
  call.budget.spendText(base64.length);
  const bytes = decodeBase64(base64);
  if (bytes === undefined) {
    throw call.invalid("the text is not valid base64");
  }
  return decodeUtf8(bytes);
}

function dataUri(call: FunctionCall): string {
  const mediaType = typeof call.value(0) === "string" ? "text/plain" : "application/json";
  return `data:${mediaType};charset=utf-8;base64,${encoded(call, textOf(call, 0))}`;
}

function dataUriToString(call: FunctionCall): string {
  const uri = call.string(0);
  const comma = uri.indexOf(",");
  if (!/^data:/i.test(uri) || comma < 0) {
    throw call.invalid("the text is not a data URI");
  }
  const data = uri.slice(comma + 1);
  if (/;base64$/i.test(uri.slice(0, comma))) {
    call.budget.spend(data.length >> 1);
    return decoded(call, percentDecode(data));
  }
  call.budget.spend(data.length >> 1);
  return percentDecode(data);
}

function uriComponent(call: FunctionCall): string {
  const text = call.string(0);
  // A character takes nine at most: three bytes of three characters each.
  checkTextLength(text.length * 9);
  call.budget.spend(text.length);
  return percentEncode(text);
}

function uriComponentToString(call: FunctionCall): string {
  const text = call.string(0);
  call.budget.spend(text.length >> 1);
  return percentDecode(text);
}
