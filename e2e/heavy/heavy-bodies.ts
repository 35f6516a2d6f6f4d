import { type HeavyRequest, heavyGroup, repeat } from "./heavy-request.ts";
import { collection, heavyVersion } from "./heavy-types.ts";

/** As large as a body may be, all but a little. */
const fullSize = 8_300_000;

const numbers = repeat(fullSize / 2, () => "1");
const halfNumbers = repeat(fullSize / 4, () => "1");
const manyKeys = `{${repeat(600_000, (i) => `"k${i}":1`)}}`;
const manyTexts = `{${repeat(400_000, (i) => `"k${i}":"v"`)}}`;

function put(name: string, type: string, x: string | (() => string), member = "x"): HeavyRequest {
  return {
    name,
    method: "PUT",
    path: `${collection(type)}/n-${name.replaceAll(/\W+/g, "-").slice(0, 60)}?api-version=${heavyVersion}`,
    body: () => `{"properties":{"${member}":${typeof x === "string" ? x : x()}}}`,
  };
}

function patch(name: string, { path, body }: HeavyRequest): HeavyRequest {
  return { name, method: "PATCH", path, ...(body === undefined ? {} : { body }) };
}

function raw(name: string, body: () => string | Buffer): HeavyRequest {
  return { ...put(name, "open", "1"), body };
}

/** As many values, and as many members of an object, as are allowed. */
const mostNumbers = `[${repeat(490_000, (i) => `${i}`)}]`;
const wideObject = `{${repeat(99_000, (i) => `"key-${i}":${i}`)}}`;
const wideTexts = `{${repeat(99_000, (i) => `"key-${i}":"value ${i}"`)}}`;

const widest = put("four wide objects", "open", `[${[1, 2, 3, 4].map(() => wideObject).join(",")}]`);
const wideMap = put("a wide map of texts", "maps", wideTexts);
const listed = put("a large document", "open", `[${halfNumbers}]`);
const secrets = put("100,000 secrets", "secrets", `{${repeat(100_000, (i) => `"key-${i}":"value-${i}"`)}}`);
const many = put("many keys", "open", manyKeys);

/** PUTs and lists of what they made. Each is refused or served; none may keep others waiting. */
export const heavyBodies: readonly HeavyRequest[] = [
  put("small numbers and one of 16 digits", "open", () => `[${numbers.slice(0, -20)},1234567890123456]`),
  put("small numbers", "open", () => `[${numbers}]`),
  put("small numbers below many brackets", "open", () => `${"[".repeat(380)}${halfNumbers}${"]".repeat(380)}`),
  put("keys that the schema does not know", "closed", manyKeys),
  put("keys in the place of one member", "closed", `1,${manyKeys.slice(1, -1)}`),
  put("as many numbers as are allowed", "open", mostNumbers),
  put("as many lists as are allowed", "open", () => `[${repeat(240_000, () => "[1]")}]`),
  put("as many objects as are allowed", "open", () => `[${repeat(240_000, (i) => `{"k${i % 50}":1}`)}]`),
  put("as many texts as are allowed", "open", () => `[${repeat(400_000, (i) => `"text ${i}"`)}]`),
  widest,
  { ...widest, name: "four wide objects once more", before: [widest] },
  put("a wide object that the schema does not know", "closed", wideObject),
  wideMap,
  { ...wideMap, name: "a wide map once more", before: [wideMap] },
  put("a wide map of numbers", "maps", wideObject),
  { ...patch("a patch of a wide map", wideMap), before: [wideMap] },
  many,
  { ...many, name: "many keys once more", before: [many] },
  put("many keys that are texts", "maps", manyTexts),
  put("many texts that are numbers", "maps", manyKeys),
  secrets,
  { ...secrets, name: "100,000 secrets once more", before: [secrets] },
  put("100,000 secrets that are no texts", "secrets", `{${repeat(100_000, (i) => `"k${i}":${i}`)}}`),
  put("a text of escapes", "open", () => `"${"\\u0041".repeat(fullSize / 6)}"`),
  put("a text of short escapes", "open", () => `"${String.raw`\n`.repeat(fullSize / 2)}"`),
  put("a long text", "open", () => `"${"a".repeat(fullSize)}"`),
  put("a long text of many bytes", "open", () => `"${"é".repeat(fullSize / 2)}"`),
  put("empty objects", "open", () => `[${repeat(fullSize / 3, () => "{}")}]`),
  put("empty texts", "open", () => `[${repeat(fullSize / 3, () => '""')}]`),
  put("objects of one key", "open", () => `[${repeat(fullSize / 8, () => '{"a":1}')}]`),
  put("long keys", "open", () => `{${repeat(4_000, (i) => `"${"k".repeat(2_000)}${i}":1`)}}`),
  put("keys that are numbers", "open", () => `{${repeat(500_000, (i) => `"${i * 7}":1`)}}`),
  put("keys with the same beginning", "open", () => `{${repeat(200_000, (i) => `"aaaaaaaaaaaaaaaaaaaaaaaa${i}":1`)}}`),
  put("long numbers", "open", () => `[${repeat(20_000, () => `0.${"1".repeat(400)}`)}]`),
  put("exponents", "open", () => `[${repeat(fullSize / 6, () => "1e300")}]`),
  put("unique objects", "lists", () => `[${repeat(300_000, (i) => `{"a":"${i}"}`)}]`, "unique"),
  put("the same object again and again", "lists", () => `[${repeat(300_000, () => '{"a":"b"}')}]`, "unique"),
  put("texts that are no choice", "lists", () => `[${repeat(800_000, (i) => `"c${i % 10}"`)}]`, "chosen"),
  put("texts that almost match", "lists", () => `[${repeat(30_000, () => `"${"ab".repeat(130)}"`)}]`, "matched"),
  put("a long text that almost matches", "lists", () => `"${"x".repeat(fullSize)}"`, "text"),
  put("numbers that are no multiples", "lists", () => `[${repeat(1_500_000, () => "0.15")}]`, "numbers"),
  raw("a full body that is no JSON at its end", () => `{"properties":{"x":[${numbers}]}`),
  raw("blanks", () => " ".repeat(fullSize)),
  raw("brackets", () => "[".repeat(fullSize)),
  raw("a key twice, far apart", () => `{"properties":{"x":[${numbers.slice(0, -100)}]},"properties":{}}`),
  raw("bytes that are no text, at the end", () =>
    Buffer.concat([
      Buffer.from(`{"properties":{"x":"${"a".repeat(fullSize - 100)}`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}}'),
    ]),
  ),
  {
    name: "tags of a group",
    method: "PUT",
    path: `/planes/radius/local/resourcegroups/tagged?api-version=2023-10-01-preview`,
    body: () => `{"location":"global","tags":${manyTexts}}`,
  },
  {
    name: "a list of large documents",
    method: "GET",
    path: `${collection("open")}?api-version=${heavyVersion}`,
    before: [0, 1, 2, 3, 4, 5].map((index) => ({ ...listed, path: listed.path.replace("?", `-${index}?`) })),
  },
  { name: "all resources of a group", method: "GET", path: `${heavyGroup}/resources?api-version=2023-10-01-preview` },
  schema("a wide schema", () => ({
    type: "object",
    properties: Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`p${i}`, { type: "string" }])),
  })),
  schema("a schema with many references", () => ({
    type: "object",
    $defs: Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`d${i}`, { $ref: `#/$defs/d${i + 1}` }])),
    properties: Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`p${i}`, { $ref: "#/$defs/d0" }])),
  })),
  schema("a schema with many patterns", () => ({
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 1_500 }, (_, i) => [`p${i}`, { type: "string", pattern: `^(a{1,200}b{1,20}){1,4}${i}$` }]),
    ),
  })),
  schema("a schema with many choices", () => ({
    type: "object",
    properties: { x: { type: "integer", enum: Array.from({ length: 60_000 }, (_, i) => i) } },
  })),
];

function schema(name: string, value: () => unknown): HeavyRequest {
  const type = `/planes/radius/local/providers/System.Resources/resourceProviders/Radius.Heavy/resourceTypes/n-${name.replaceAll(" ", "")}`;
  const query = "?api-version=2023-10-01-preview";
  return {
    name,
    method: "PUT",
    path: `${type}/apiVersions/2025-01-01${query}`,
    body: () => JSON.stringify({ properties: { schema: value() } }),
    before: [{ name: `${name}: type`, method: "PUT", path: `${type}${query}`, body: () => '{"properties":{}}' }],
    untilEnded: true,
  };
}
