import type { CallProblem, FileContent, FileLoader, FileRequest, LiteralValue } from "../types/index.ts";
import type { ReferenceProblem } from "../semantics/index.ts";
import type { BicepHost, FileProblem, FileRead } from "./host.ts";
import { readJson } from "./json-document.ts";
import { selectByPath } from "./json-path.ts";
import { checkLocalPath } from "./local-path.ts";
import { extensionOf, nameOf, relativePath, resolvePath } from "./paths.ts";
import { problems } from "./problems.ts";
import { decodeText, isTextEncoding, toBase64 } from "./text.ts";

const maxTextLength = 131_072;
const maxBinaryBytes = 96 * 1024;
const maxDocumentLength = 1_048_576;

export type LoaderHost = Pick<BicepHost, "readFile" | "listDirectory" | "parseYaml">;

/** Loads what `loadTextContent` and its kin name, relative to the folder of the calling file. */
export function createFileLoader(folder: string, host: LoaderHost): FileLoader {
  return { load: (request) => load(request, folder, host) };
}

type Loaded = FileContent | { readonly problem: CallProblem };

function load(request: FileRequest, folder: string, host: LoaderHost): Loaded {
  const wrong = checkLocalPath(request.path);
  if (wrong !== undefined) {
    return fail(wrong, 0);
  }
  const path = resolvePath(folder, request.path);
  if (request.kind === "directory") {
    return listFiles(request, path, folder, host);
  }
  const read = host.readFile(path);
  if (!("bytes" in read)) {
    return fail(readProblem(request.path, read), 0);
  }
  if (request.kind === "base64") {
    return read.bytes.length > maxBinaryBytes
      ? fail(problems.fileTooLarge(request.path, maxBinaryBytes, "bytes"), 0)
      : { value: toBase64(read.bytes) };
  }
  return loadText(request, read.bytes, host);
}

function loadText(request: FileRequest, bytes: Uint8Array, host: LoaderHost): Loaded {
  const limit = request.kind === "text" ? maxTextLength : maxDocumentLength;
  // No encoding spends more than four bytes on a character, so a larger file need not be decoded to be too long.
  if (bytes.length > limit * 4) {
    return fail(problems.fileTooLarge(request.path, limit, "characters"), 0);
  }
  const asked = request.encoding !== undefined && isTextEncoding(request.encoding) ? request.encoding : undefined;
  const { text, marked } = decodeText(bytes, asked);
  if (text.length > limit) {
    return fail(problems.fileTooLarge(request.path, limit, "characters"), 0);
  }
  const contradicted = asked !== undefined && marked !== undefined && marked !== asked;
  const remark = contradicted ? at(problems.encodingContradicted(marked), request.kind === "text" ? 1 : 2) : undefined;
  if (request.kind === "text") {
    return { value: text, problem: remark };
  }
  const document = request.kind === "json" ? parseDocument(request.path, text) : parseYaml(request.path, text, host);
  if ("problem" in document) {
    return fail(document.problem, 0);
  }
  if (request.selector === undefined) {
    return { value: document.value, problem: remark };
  }
  const [first, ...others] = selectByPath(document.value, request.selector) ?? [];
  if (first === undefined) {
    return fail(problems.nothingSelected(request.selector), 1);
  }
  return { value: others.length === 0 ? first : [first, ...others], problem: remark };
}

type Parsed = { readonly value: LiteralValue } | { readonly problem: ReferenceProblem };

function parseDocument(path: string, text: string): Parsed {
  const read = readJson(text);
  return "value" in read ? read : { problem: problems.notJson(path, read.error) };
}

function parseYaml(path: string, text: string, host: LoaderHost): Parsed {
  const read = host.parseYaml?.(text) ?? { error: "YAML cannot be read here." };
  return "value" in read ? read : { problem: problems.notYaml(path, read.error) };
}

function listFiles(request: FileRequest, path: string, folder: string, host: LoaderHost): Loaded {
  const listing = host.listDirectory(path);
  if ("problem" in listing) {
    return fail(directoryProblem(request.path, listing.problem), 0);
  }
  const matches = wildcard(request.selector ?? "*");
  const found = listing.files
    .filter((name) => matches(name))
    .map((name) => relativePath(folder, resolvePath(path, name)))
    .map((relative) => ({ relative, order: relative.toUpperCase() }))
    .sort((left, right) => (left.order < right.order ? -1 : left.order > right.order ? 1 : 0));
  return { value: found.map(({ relative }) => fileInfo(relative)) };
}

function directoryProblem(path: string, problem: "file" | FileProblem): ReferenceProblem {
  if (problem === "file") {
    return problems.notADirectory(path);
  }
  return problem === "missing" ? problems.directoryMissing(path) : problems.directoryUnreadable(path, problem);
}

function fileInfo(relative: string): LiteralValue {
  const name = nameOf(relative);
  const dotted = extensionOf(name);
  return new Map<string, LiteralValue>([
    ["relativePath", relative],
    ["baseName", name],
    ["extension", dotted === "" ? "" : name.slice(-dotted.length)],
  ]);
}

/** Matches names against `*` and `?`, without ever going back more than one star: linear enough for any pattern. */
function wildcard(pattern: string): (name: string) => boolean {
  return (name) => {
    let at = 0;
    let inPattern = 0;
    let star = -1;
    let afterStar = 0;
    while (at < name.length) {
      const char = pattern[inPattern];
      if (char === "*") {
        star = inPattern;
        afterStar = at;
        inPattern += 1;
      } else if (char === "?" || char === name[at]) {
        inPattern += 1;
        at += 1;
      } else if (star >= 0) {
        afterStar += 1;
        at = afterStar;
        inPattern = star + 1;
      } else {
        return false;
      }
    }
    while (pattern[inPattern] === "*") {
      inPattern += 1;
    }
    return inPattern === pattern.length;
  };
}

/** The problem of a file that was not read. */
export function readProblem(path: string, read: Exclude<FileRead, { readonly bytes: Uint8Array }>): ReferenceProblem {
  return read.problem === "directory" ? problems.directoryGiven(path) : problems.fileUnreadable(path, read.problem);
}

function fail(problem: ReferenceProblem, argument: number): { readonly problem: CallProblem } {
  return { problem: at(problem, argument) };
}

function at(problem: ReferenceProblem, argument: number): CallProblem {
  return { ...problem, argument };
}
