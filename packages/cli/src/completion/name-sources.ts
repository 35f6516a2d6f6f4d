import type { Option } from "commander";
import type { ParsedLine } from "./parse-line.ts";
import { nameOf } from "./parse-line.ts";

/** Where names that can be completed come from. */
export type NameSource =
  | "workspaces"
  | "groups"
  | "types"
  | "podTypes"
  | "namespaces"
  | "resources"
  | "deployments"
  | "environments"
  | "applications"
  | "apiMethods"
  | "apiPaths"
  | "formats"
  | "graphFormats"
  | "shells"
  | "clouds"
  | "recipePacks"
  | "recipeNames"
  | "secrets"
  | "files";

const byOption: Readonly<Record<string, NameSource>> = {
  group: "groups",
  "recipe-pack-group": "groups",
  workspace: "workspaces",
  environment: "environments",
  application: "applications",
  output: "formats",
  "resource-type": "types",
  "recipe-packs": "recipePacks",
};

const byCommand: Readonly<Record<string, readonly NameSource[]>> = {
  api: ["apiMethods", "apiPaths"],
  completion: ["shells"],
  "application show": ["applications"],
  "application status": ["applications"],
  "application graph": ["applications"],
  "application delete": ["applications"],
  "environment show": ["environments"],
  "environment update": ["environments"],
  "environment switch": ["environments"],
  "environment delete": ["environments"],
  "workspace show": ["workspaces"],
  "workspace switch": ["workspaces"],
  "workspace delete": ["workspaces"],
  "group show": ["groups"],
  "group switch": ["groups"],
  "group delete": ["groups"],
  "deployment show": ["deployments"],
  "deployment watch": ["deployments"],
  "deployment cancel": ["deployments"],
  "deployment delete": ["deployments"],
  "resource list": ["types"],
  "resource show": ["types", "resources"],
  "resource create": ["types", "resources"],
  "resource delete": ["types", "resources"],
  "resource logs": ["types", "resources"],
  "resource expose": ["podTypes", "resources"],
  "recipe show": ["recipeNames"],
  "recipe unregister": ["recipeNames"],
  "recipe-pack show": ["recipePacks"],
  "recipe-pack delete": ["recipePacks"],
  "credential show": ["clouds"],
  "credential unregister": ["clouds"],
  "secret set": ["secrets"],
  "secret delete": ["secrets"],
  "resource-type show": ["types"],
  "resource-type delete": ["types"],
  "resource-provider show": ["namespaces"],
  "resource-provider delete": ["namespaces"],
};

/** Names of values that are files, or begin like one, as the help writes them: `--from-file <path>`. */
const filePlaceholders: ReadonlySet<string> = new Set(["path", "file", "folder", "parameter"]);

/** The one kind of names that the end of the line asks for, so that nothing else is fetched. */
export function wantedSource({ command, path, args, current, option }: ParsedLine): NameSource | undefined {
  if (option !== undefined) {
    if (path === "application graph" && nameOf(option) === "output") {
      return "graphFormats";
    }
    const isFile = filePlaceholders.has(/[<[]([^>\]]+)/.exec(option.flags)?.[1] ?? "");
    return byOption[nameOf(option satisfies Option)] ?? (isFile ? "files" : undefined);
  }
  if (current.startsWith("-") && current !== "-") {
    return undefined;
  }
  const named = byCommand[path]?.[args.length];
  const argument = command.registeredArguments[args.length];
  return named ?? (argument !== undefined && filePlaceholders.has(argument.name()) ? "files" : undefined);
}
