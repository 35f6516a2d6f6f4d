import type { JsonValue } from "@rad/core";
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import type { Pair, ParsedNode, YAMLMap } from "yaml";
import type { PathSegment } from "@rad/core";
import { findTooDeep } from "./yaml-depth.ts";

const maxLength = 1024 * 1024;
const maxDepth = 100;
/** Beyond this nothing is parsed. It leaves room for what is counted twice; `maxDepth` is looked at afterwards. */
const stackDepth = 4 * maxDepth;
/** Counted with every alias written out, which is what makes a small file of nested aliases explode. */
const maxValues = 50_000;

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

/**
 * Reads exactly one document and only what JSON can say: no duplicate keys, keys are text, values have no tags. The
 * result of a text with problems is whatever could be read.
 */
export function readYaml(text: string): YamlSource {
  if (text.length > maxLength) {
    return unreadable(`The file is larger than ${maxLength / 1024} KiB.`);
  }
  const tooDeep = findTooDeep(text, stackDepth);
  if (tooDeep !== undefined) {
    return unreadable(`The file is nested too deep: more than ${maxDepth} levels.`, placeOf(text, tooDeep));
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    schema: "core",
    version: "1.2",
    resolveKnownTags: false,
    stringKeys: true,
    // The library compares every key with every other; `convertMap` finds duplicates in one pass.
    uniqueKeys: false,
    prettyErrors: false,
  });
  const root = document.contents;
  const problems: SourceProblem[] = [];
  const anchors = new Map<string, Anchored>();
  let count = 0;

  for (const { message, pos } of [...document.errors, ...document.warnings].slice(0, 20)) {
    problems.push({ path: [], ...position(pos[0]), message: `${firstLine(message)}.` });
  }
  // After a syntax error the rest is guesswork, and would only add noise.
  const value = problems.length > 0 || root === null ? null : convert(root, []);
  return { value, problems, locate };

  function convert(node: ParsedNode | null, path: readonly PathSegment[]): JsonValue {
    count += 1;
    if (count > maxValues) {
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
      count += anchored?.count ?? 0;
      return (
        anchored?.value ?? refuse(node, path, `The alias *${node.source} names nothing that was defined before it.`)
      );
    }
    const before = count;
    const value = convertContent(node, path);
    if (node.anchor !== undefined) {
      // Registered when complete: an alias inside of its own anchor finds nothing.
      anchors.set(node.anchor, { value, count: count - before });
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
    for (const pair of map.items) {
      const key = keyOf(pair);
      if (members.has(key)) {
        refuse(pair.key, [...path, key], "is there twice.");
      }
      members.set(key, convert(pair.value, [...path, key]));
    }
    return Object.fromEntries(members);
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
    const { line, col } = lines.linePos(offset);
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
