import type { Span } from "../../diagnostic.ts";
import type { SemanticModel } from "../../semantics/index.ts";
import type { StringExpression } from "../../syntax/index.ts";
import { stringsOption } from "../configuration.ts";
import type { Rule } from "../rule.ts";

export const noHardcodedEnvUrls: Rule = {
  name: "no-hardcoded-env-urls",
  category: "BestPractice",
  start: ({ model, options, report }) => {
    const { kind, text } = model.file.syntax;
    if (kind === "params") {
      return undefined;
    }
    // One search through the text first: most files name none of these hosts.
    const hosts = findHosts(text, stringsOption(options, "disallowedhosts", environmentHosts));
    if (hosts.length === 0) {
      return undefined;
    }
    const excluded = findHosts(text, stringsOption(options, "excludedhosts", otherHosts));
    return {
      StringExpression: (node) => {
        const inside = node.tokens.flatMap((token) => spansWithin(hosts, token));
        if (inside.length === 0 || !isData(model, node)) {
          return;
        }
        for (const hit of inside) {
          if (!excluded.some((other) => hit.start < other.end && other.start < hit.end)) {
            const host = text.slice(hit.start, hit.end);
            report(hit, `"${host}" differs from cloud to cloud; the function "environment" knows the right one.`);
          }
        }
      },
    };
  },
};

const environmentHosts: readonly string[] = [
  "azuredatalakeanalytics.net",
  "azuredatalakestore.net",
  "batch.core.windows.net",
  "core.windows.net",
  "database.windows.net",
  "datalake.azure.net",
  "gallery.azure.com",
  "graph.windows.net",
  "login.microsoftonline.com",
  "management.azure.com",
  "management.core.windows.net",
  "vault.azure.net",
];

const otherHosts: readonly string[] = ["schema.management.azure.com"];

/** Where hosts stand in a text as words of their own; of overlapping ones, the first and longest. */
function findHosts(text: string, hosts: readonly string[]): readonly Span[] {
  if (hosts.length === 0) {
    return [];
  }
  const longestFirst = hosts.toSorted((left, right) => right.length - left.length);
  const pattern = longestFirst.map((host) => RegExp.escape(host)).join("|");
  const search = new RegExp(`(?<![a-z0-9])(?:${pattern})(?![a-z0-9])`, "giu");
  return Array.from(text.matchAll(search), ({ index, 0: host }) => ({ start: index, end: index + host.length }));
}

/** Those of the spans, which are in order, that lie in another. */
function spansWithin(spans: readonly Span[], outer: Span): readonly Span[] {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? 0) < outer.start) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const found: Span[] = [];
  for (let span = spans[low]; span !== undefined && span.end <= outer.end; span = spans[low]) {
    found.push(span);
    low += 1;
  }
  return found;
}

/** Whether a string is a value of the template: descriptions, type names and paths are not. */
function isData(model: SemanticModel, node: StringExpression): boolean {
  for (let below = node as Parameters<typeof model.parentOf>[0], at = model.parentOf(below); at !== undefined;) {
    switch (at.kind) {
      case "MetadataDeclaration":
      case "ImportFrom":
      case "ExtensionDeclaration":
      case "UsingDeclaration":
      case "ExtendsDeclaration":
        return false;
      case "ResourceDeclaration":
        return below !== at.type;
      case "ModuleDeclaration":
      case "TestDeclaration":
        return below !== at.path;
      case "Decorator": {
        const { expression } = at;
        const name = "name" in expression ? expression.name.name : "";
        return name !== "description" && name !== "metadata";
      }
      default:
        break;
    }
    below = at;
    at = model.parentOf(at);
  }
  return true;
}
