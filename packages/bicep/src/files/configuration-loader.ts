import type { ReferenceProblem } from "../semantics/index.ts";
import { buildConfiguration, defaultConfiguration } from "./configuration.ts";
import type { Configuration, ConfigurationLayer } from "./configuration.ts";
import type { BicepHost } from "./host.ts";
import { asObject, asString, readJson } from "./json-document.ts";
import { folderOf, resolvePath } from "./paths.ts";
import { problems } from "./problems.ts";
import { decodeText } from "./text.ts";

const fileName = "bicepconfig.json";
const maxChain = 64;

export type ConfigurationFiles = Pick<BicepHost, "readFile" | "listDirectory">;

export interface LoadedConfiguration {
  readonly configuration: Configuration;
  /** Every file that was looked at, there or not: a change to one of them makes the answer stale. */
  readonly inputs: readonly string[];
}

/** Finds the configuration of a folder: the nearest file on the way up, with what it extends. */
export function loadConfiguration(folder: string, files: ConfigurationFiles): LoadedConfiguration {
  const inputs: string[] = [];
  for (let at = folder; ; at = folderOf(at)) {
    const path = resolvePath(at, fileName);
    inputs.push(path);
    const read = files.readFile(path);
    if ("bytes" in read) {
      return { configuration: loadChain(path, read.bytes, files, inputs), inputs };
    }
    if (read.problem === "denied" || read.problem === "tooLarge") {
      const problem = isClosed(at, files)
        ? problems.configurationSearchFailed(path)
        : problems.configurationUnreadable(path, read.problem);
      return { configuration: buildConfiguration([], [problem]), inputs };
    }
    // Where a confined host ends, so does the search: what lies above is none of the caller's business.
    if (read.problem === "outside" || at === folderOf(at)) {
      return { configuration: defaultConfiguration, inputs };
    }
  }
}

function isClosed(folder: string, files: ConfigurationFiles): boolean {
  const listing = files.listDirectory(folder);
  return "problem" in listing && listing.problem === "denied";
}

function loadChain(path: string, bytes: Uint8Array, files: ConfigurationFiles, inputs: string[]): Configuration {
  const layers: ConfigurationLayer[] = [];
  const found: ReferenceProblem[] = [];
  const seen: string[] = [];
  let next: { readonly path: string; readonly bytes: Uint8Array } | undefined = { path, bytes };
  while (next !== undefined) {
    const current: { readonly path: string; readonly bytes: Uint8Array } = next;
    next = undefined;
    if (seen.includes(current.path)) {
      found.push(problems.configurationCycle([...seen, current.path]));
      break;
    }
    if (seen.length >= maxChain) {
      found.push(problems.configurationTooDeep(path, maxChain));
      break;
    }
    seen.push(current.path);
    const parsed = readJson(decodeText(current.bytes).text);
    const document = "value" in parsed ? asObject(parsed.value) : undefined;
    if (document === undefined) {
      const reason = "error" in parsed ? parsed.error : "It must hold an object.";
      found.push(problems.configurationNotJson(current.path, reason));
      break;
    }
    const folder = folderOf(current.path);
    layers.unshift({ path: current.path, folder, document });
    const base = asString(document.get("extends"));
    if (base !== undefined) {
      const basePath = resolvePath(folder, base);
      inputs.push(basePath);
      const read = files.readFile(basePath);
      if ("bytes" in read) {
        next = { path: basePath, bytes: read.bytes };
      } else {
        found.push(problems.baseConfigurationUnreadable(current.path, base));
      }
    }
  }
  return buildConfiguration(layers, found);
}
