import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments, parseDocument } from "yaml";
import type {
  Document,
  DocumentOptions,
  Pair,
  ParsedNode,
  ParseOptions,
  ScalarTag,
  SchemaOptions,
  YAMLMap,
} from "yaml";
import type { PathSegment } from "@rad/core";
import { findTooDeep } from "./yaml-depth.ts";
import { hasMoreTokens } from "./yaml-tokens.ts";

const maxLength = 1024 * 1024;
const maxDepth = 100;
/** Beyond this nothing is parsed. It leaves room for what is counted twice; `maxDepth` is looked at afterwards. */
const stackDepth = 4 * maxDepth;
/** Counted with every alias written out, which is what makes a small file of nested aliases explode. */
const maxValues = 50_000;
/** What a server parses in one turn of its event loop; some thousand lines. */
const maxTokens = 30_000;

interface SourceProblem {
  readonly path: readonly PathSegment[];
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A YAML or JSON text as plain JSON, with a way back to the places things came from. */
export interface YamlSource {
  readonly value: JsonValue;
  readonly problems: readonly SourceProblem[];
  /** Line and column (from 1) of the thing at `path`, or of the nearest thing around it. */
  locate(path: readonly PathSegment[]): { line: number; column: number };
}

interface Anchored {
  readonly value: JsonValue;
  readonly count: number;
}

const options = {
  schema: "core",
  version: "1.2",
  resolveKnownTags: false,
  stringKeys: true,
  // The library compares every key with every other; `convertMap` finds duplicates in one pass.
  uniqueKeys: false,
  prettyErrors: false,
} as const satisfies ParseOptions & DocumentOptions & SchemaOptions;

/**
 * Reads exactly one document and only what JSON can say: no duplicate keys, keys are text, values have no tags. The
 * result of a text with problems is whatever could be read.
 */
export function readYaml(text: string): YamlSource {
  const refused = refuseSize(text);
  if (refused !== undefined) {
    return refused;
  }
  return convertDocument(parseDocument(text, options), linesOf(text), { merges: false, count: 0 });
}

/**
 * Reads every document of a text as Kubernetes' own tools do, in YAML 1.1: `0644` is octal, `yes` is true, and `<<`
 * merges a mapping into another one. Empty documents are left out. Servers read what callers send: a text that would take
 * long is refused.
 */
export function readManifests(text: string): YamlSource[] {
  const refused = refuseTokens(text) ?? refuseSize(text);
  if (refused !== undefined) {
    return [refused];
  }
  const parsed = parseAllDocuments(text, { ...options, customTags: (tags) => [...yaml11Tags, ...tags] });
  const lines = linesOf(text);
  const state: Conversion = { merges: true, count: 0 };
  return (Array.isArray(parsed) ? parsed : [])
    .map((document) => convertDocument(document, lines, state))
    .filter(({ value, problems }) => value !== null || problems.length > 0);
}

const yaml11Tags: readonly ScalarTag[] = [
  {
    tag: "tag:yaml.org,2002:bool",
    default: true,
    test: /^(?:yes|on|no|off|Yes|On|No|Off|YES|ON|NO|OFF)$/,
    resolve: (text) => /^(?:yes|on)$/i.test(text),
  },
  {
    tag: "tag:yaml.org,2002:int",
    default: true,
    test: /^[-+]?0[0-7]+$/,
    resolve: (text) => (text.startsWith("-") ? -1 : 1) * Number.parseInt(text.replace(/^[-+]/, ""), 8),
  },
];

function refuseSize(text: string): YamlSource | undefined {
  if (text.length > maxLength) {
    return unreadable(`The file is larger than ${maxLength / 1024} KiB.`);
  }
  const tooDeep = findTooDeep(text, stackDepth);
  if (tooDeep !== undefined) {
    return unreadable(`The file is nested too deep: more than ${maxDepth} levels.`, placeOf(text, tooDeep));
  }
  return undefined;
}

function refuseTokens(text: string): YamlSource | undefined {
  return text.length <= maxLength && hasMoreTokens(text, maxTokens)
    ? unreadable("The manifests hold too many values. Split them, or apply them with kubectl.")
    : undefined;
}

/** Where lines begin, counted when somebody asks: few texts have problems. */
function linesOf(text: string): () => LineCounter {
  let lines: LineCounter | undefined;
  return () => {
    if (lines === undefined) {
      lines = new LineCounter();
      lines.addNewLine(0);
      for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
        lines.addNewLine(at + 1);
      }
    }
    return lines;
  };
}

/** What the documents of one text share. */
interface Conversion {
  /** Whether the key `<<` merges. */
  readonly merges: boolean;
  /** How many values there are so far. */
  count: number;
}

function convertDocument(document: Document.Parsed, lines: () => LineCounter, state: Conversion): YamlSource {
  const root = document.contents;
  const problems: SourceProblem[] = [];
  const anchors = new Map<string, Anchored>();

  for (const { message, pos } of [...document.errors, ...document.warnings].slice(0, 20)) {
    problems.push({ path: [], ...position(pos[0]), message: `${firstLine(message)}.` });
  }
  // After a syntax error the rest is guesswork, and would only add noise.
  const value = problems.length > 0 || root === null ? null : convert(root, []);
  return { value, problems, locate };

  function convert(node: ParsedNode | null, path: readonly PathSegment[]): JsonValue {
    state.count += 1;
    if (state.count > maxValues) {
      return refuse(node, path, "The file holds too many values, counting each use of an alias.");
    }
    if (path.length > maxDepth) {
      return refuse(node, path, `is nested more than ${maxDepth} levels deep.`);
    }
    if (node === null) {
      return null;
    }
    if (isAlias(node)) {
      const anchored = anchors.get(node.source);
      state.count += anchored?.count ?? 0;
      return (
        anchored?.value ?? refuse(node, path, `The alias *${node.source} names nothing that was defined before it.`)
      );
    }
    const before = state.count;
    const value = convertContent(node, path);
    if (node.anchor !== undefined) {
      // Registered when complete: an alias inside of its own anchor finds nothing.
      anchors.set(node.anchor, { value, count: state.count - before });
    }
    return value;
  }

  function convertContent(node: ParsedNode, path: readonly PathSegment[]): JsonValue {
    if (isMap<ParsedNode, ParsedNode | null>(node)) {
      return convertMap(node, path);
    }
    if (isSeq<ParsedNode>(node)) {
      return node.items.map((item, index) => convert(item, [...path, index]));
    }
    const value = isScalar(node) ? node.value : undefined;
    if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) {
      return value as JsonValue;
    }
    return refuse(node, path, "is not a value that JSON has.");
  }

  function convertMap(map: YAMLMap<ParsedNode, ParsedNode | null>, path: readonly PathSegment[]): JsonValue {
    const members = new Map<string, JsonValue>();
    const merged: JsonObject[] = [];
    for (const pair of map.items) {
      const key = keyOf(pair);
      if (state.merges && key === "<<") {
        merged.push(...mergedMappings(pair, [...path, key]));
        continue;
      }
      if (members.has(key)) {
        refuse(pair.key, [...path, key], "is there twice.");
      }
      members.set(key, convert(pair.value, [...path, key]));
    }
    // Own members win over merged ones, and earlier merged ones over later ones.
    for (const [key, value] of merged.flatMap((mapping) => Object.entries(mapping))) {
      if (!members.has(key)) {
        members.set(key, value);
      }
    }
    return Object.fromEntries(members);
  }

  function mergedMappings(pair: Pair<ParsedNode, ParsedNode | null>, path: readonly PathSegment[]): JsonObject[] {
    const value = convert(pair.value, path);
    const mappings = Array.isArray(value) ? value : [value];
    if (!mappings.every(isJsonObject)) {
      refuse(pair.key, path, "merges something that is not a mapping.");
    }
    return mappings.filter(isJsonObject);
  }

  function refuse(node: ParsedNode | null, path: readonly PathSegment[], message: string): null {
    if (problems.length < 100) {
      problems.push({ path, ...position(node?.range[0] ?? 0), message });
    }
    return null;
  }

  function locate(path: readonly PathSegment[]): { line: number; column: number } {
    let node: ParsedNode | null = root;
    let offset = node?.range[0] ?? 0;
    for (const segment of path) {
      const [next, start] = step(node, segment);
      if (start === undefined) {
        break;
      }
      node = next;
      offset = start;
    }
    return position(offset);
  }

  function position(offset: number): { line: number; column: number } {
    const { line, col } = lines().linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}

function unreadable(message: string, place = { line: 1, column: 1 }): YamlSource {
  return { value: null, problems: [{ path: [], ...place, message }], locate: () => place };
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** The child at `segment` and where it begins: at its key, where there is one. */
function step(node: ParsedNode | null, segment: PathSegment): [ParsedNode | null, number | undefined] {
  if (isMap<ParsedNode, ParsedNode | null>(node)) {
    const pair = node.items.find((item) => keyOf(item) === segment);
    return [pair?.value ?? null, pair?.key.range[0]];
  }
  if (isSeq<ParsedNode>(node) && typeof segment === "number") {
    const item = node.items[segment] ?? null;
    return [item, item?.range[0]];
  }
  return [null, undefined];
}

function keyOf(pair: Pair<ParsedNode, ParsedNode | null>): string {
  return isScalar(pair.key) ? String(pair.key.value) : "";
}

function firstLine(message: string): string {
  return (message.split("\n")[0] ?? "").replace(/[.:]$/, "").slice(0, 300);
}
