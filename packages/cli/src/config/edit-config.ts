import type { Document } from "yaml";
import { isMap, isScalar, parseDocument } from "yaml";
import { lockFile, removeLeftovers, writeFileAtomically } from "@rad/artifacts/files";
import type { RadConfig } from "./read-workspaces.ts";
import { inFile, loadFailed, readConfig, readWorkspaces } from "./read-workspaces.ts";
import type { Workspace } from "./workspace.ts";

/** Changes inside one locked read-modify-write of the file. */
export interface ConfigEdit {
  readonly config: RadConfig;
  put(workspace: Workspace): void;
  remove(name: string): void;
  setCurrent(name: string): void;
}

/** What any YAML file holds. */
export function parseYaml(text: string): unknown {
  return toValue(parse(text));
}

/** As `updateConfig` promises. */
export async function editConfig<T>(path: string, edit: (config: ConfigEdit) => T | Promise<T>): Promise<T> {
  using _ = await lockFile(`${path}.lock`);
  await removeLeftovers(path);
  const before = readConfig(path);
  const document = inFile(path, () => parse(before));
  inFile(path, () => readWorkspaces(toValue(document))); // an edit is no cure for a file that cannot be read
  const result = await edit(createEdit(document));
  const after = document.toString({ lineWidth: 0 });
  readWorkspaces(parseYaml(after)); // never leave a file behind that we would refuse ourselves
  if (after !== before) {
    await writeFileAtomically(path, after, { mode: 0o600 });
  }
  return result;
}

function parse(text: string): Document {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) {
    throw loadFailed((problem.message.split("\n")[0] ?? problem.code).replace(/:$/, ""));
  }
  if (document.contents !== null && !isMap(document.contents) && !isEmptyScalar(document.contents)) {
    throw loadFailed("the file is not a mapping");
  }
  return document;
}

function isEmptyScalar(node: unknown): boolean {
  return isScalar(node) && node.value === null;
}

function toValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw loadFailed(error instanceof Error ? error.message : "it is not YAML");
  }
}

function createEdit(document: Document): ConfigEdit {
  /** The key as it is spelled in the file, so that an edit does not add a second one in other case. */
  const keyOf = (name: string): string => {
    const items = document.getIn(["workspaces", "items"]);
    const keys = isMap(items) ? items.items.map((pair) => (isScalar(pair.key) ? String(pair.key.value) : "")) : [];
    return keys.find((key) => key.toLowerCase() === name) ?? name;
  };
  return {
    get config() {
      return readWorkspaces(toValue(document));
    },
    put(workspace) {
      const { name, ...content } = workspace;
      const path = ["workspaces", "items", keyOf(name)];
      dropEmpty(document, ["workspaces"]);
      dropEmpty(document, ["workspaces", "items"]);
      dropEmpty(document, path);
      for (const key of ["connection", "scope", "environment"] as const) {
        const value = content[key];
        if (value === undefined) {
          document.deleteIn([...path, key]);
        } else if (JSON.stringify(toPlain(document.getIn([...path, key]))) !== JSON.stringify(value)) {
          document.setIn([...path, key], document.createNode(value));
        }
      }
    },
    remove(name) {
      document.deleteIn(["workspaces", "items", keyOf(name)]);
    },
    setCurrent(name) {
      dropEmpty(document, ["workspaces"]);
      document.setIn(["workspaces", "default"], name);
    },
  };
}

/** `items:` without a value is a null scalar, into which nothing can be put. */
function dropEmpty(document: Document, path: readonly string[]): void {
  if (document.hasIn(path) && !isMap(document.getIn(path, true))) {
    document.deleteIn(path);
  }
}

function toPlain(node: unknown): unknown {
  return isMap(node) ? node.toJSON() : node;
}
