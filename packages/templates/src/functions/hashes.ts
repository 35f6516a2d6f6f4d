import { sha1 } from "../sha1.ts";
import { encodeUtf8 } from "../text/bytes.ts";
import { uniqueText } from "../unique-string.ts";
import { define, type FunctionCall, type FunctionDefinition } from "./function-call.ts";

export const hashFunctions: readonly FunctionDefinition[] = [
  define("uniqueString", [1, Infinity], (call) => uniqueText(joined(call)), 24),
  define("guid", [1, Infinity], (call) => namedGuid(joined(call)), 48),
];

function joined(call: FunctionCall): Uint8Array {
  const text = call.strings().join("-");
  call.budget.spendText(text.length);
  return encodeUtf8(text);
}

const guidNamespace = new Uint8Array([
  0x11, 0xfb, 0x06, 0xfb, 0x71, 0x2d, 0x4d, 0xdd, 0x98, 0xc7, 0xe7, 0x1b, 0xbd, 0x58, 0x88, 0x30,
]);

/** A UUID of version 5: the same name always has the same one. */
function namedGuid(name: Uint8Array): string {
  const data = new Uint8Array(guidNamespace.length + name.length);
  data.set(guidNamespace);
  data.set(name, guidNamespace.length);
  const digest = sha1(data);
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...digest.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
