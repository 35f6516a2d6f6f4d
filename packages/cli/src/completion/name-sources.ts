/** Where names that can be completed come from. */
export type NameSource = "workspaces" | "groups" | "types" | "namespaces" | "resources" | "deployments";

export interface WantedNames {
  readonly source: NameSource;
  /** The type on the line, for the names of its resources. */
  readonly type?: string | undefined;
}

export const optionSources: Readonly<Record<string, NameSource>> = { group: "groups", workspace: "workspaces" };

const bySubcommand: Readonly<Record<string, readonly NameSource[]>> = {
  "workspace show": ["workspaces"],
  "workspace switch": ["workspaces"],
  "workspace delete": ["workspaces"],
  "group show": ["groups"],
  "group switch": ["groups"],
  "group delete": ["groups"],
  "deployment show": ["deployments"],
  "deployment cancel": ["deployments"],
  "deployment delete": ["deployments"],
  "resource list": ["types"],
  "resource show": ["types", "resources"],
  "resource create": ["types", "resources"],
  "resource delete": ["types", "resources"],
  "resource-type show": ["types"],
  "resource-type delete": ["types"],
  "resource-provider show": ["namespaces"],
  "resource-provider delete": ["namespaces"],
};
const aliases: Readonly<Record<string, string>> = { rt: "resource-type", rp: "resource-provider" };
const valueFlags = new Set(["-g", "--group", "-w", "--workspace", "-o", "--output", "--config", "--api-version"]);

export function argumentSources(path: string): readonly NameSource[] {
  const [group = "", ...rest] = path.split(" ");
  return bySubcommand[[aliases[group] ?? group, ...rest].join(" ")] ?? [];
}

/** The one kind of names that the end of the line asks for, so that nothing else is fetched. */
export function wantedSource(words: readonly string[]): WantedNames | undefined {
  const before = words.slice(0, -1);
  const previous = before.at(-1) ?? "";
  if (valueFlags.has(previous)) {
    const name = previous === "-g" ? "group" : previous === "-w" ? "workspace" : previous.replace(/^--/, "");
    const source = optionSources[name];
    return source === undefined ? undefined : { source };
  }
  const plain = before.filter((word, index) => !word.startsWith("-") && !valueFlags.has(before[index - 1] ?? ""));
  const [group = "", verb = "", ...args] = plain;
  const source = argumentSources(`${group} ${verb}`)[args.length];
  return source === undefined ? undefined : { source, type: args[0] };
}
