import type { InstallationMethod } from "./installation-methods.ts";

const text = String.raw`"(?:[^"\\$%\p{Cc}\u2028\u2029\ufeff]|\\["\\]|\\u(?!d[89a-f])[0-9a-f]{4})*"`;
const member = new RegExp(
  String.raw`^    (?:(?<name>path|url) = (?<text>${text})|(?<list>include|exclude) = (?<texts>\[(?:${text}(?:, ${text})*)?\]))$`,
  "u",
);
const opening = /^ {2}(?<kind>filesystem_mirror|network_mirror|direct) \{$/u;

/**
 * Reads a CLI configuration in the form that we write, where every string is one of JSON, too. Whatever has another form is
 * not read, even if Terraform would read it: a parser for all of HCL takes 0.1 s to start, for which every first run would
 * wait.
 *
 * @returns nothing for a text of another form
 */
export function readTerraformrc(configuration: string): readonly InstallationMethod[] | undefined {
  const lines = configuration.split("\n");
  const ends = lines.splice(-2);
  if (lines.shift() !== "provider_installation {" || ends.join("\n") !== "}\n") {
    return undefined;
  }
  const methods: InstallationMethod[] = [];
  while (lines.length > 0) {
    const method = readMethod(lines);
    if (method === undefined) {
      return undefined;
    }
    methods.push(method);
  }
  return methods;
}

/** Takes the lines of one method. */
function readMethod(lines: string[]): InstallationMethod | undefined {
  const kind = opening.exec(lines.shift() ?? "")?.groups?.["kind"];
  const members: Record<string, unknown> = {};
  for (let line = lines.shift(); line !== "  }"; line = lines.shift()) {
    const { name, text: value, list, texts } = member.exec(line ?? "")?.groups ?? {};
    const found = name ?? list;
    if (found === undefined || Object.hasOwn(members, found)) {
      return undefined;
    }
    members[found] = JSON.parse(value ?? texts ?? "");
  }
  return kind === undefined ? undefined : ({ kind, ...members } as InstallationMethod);
}
