import { describeSchema, type PropertyRow } from "@rad/resource-types";
import { TypeModules, type TypePolicy } from "@rad/resources";
import { type BuiltInType, builtInTypes, namespacePolicies } from "@rad/radius-types";

const origin = "<!-- Written by `npm run docs` from packages/radius-types; change it there. -->";

/** Types whose bodies are not checked by a schema, with the page that tells about them. */
const elsewhere: Readonly<Record<string, string>> = { "Microsoft.Resources/deployments": "../deploying.md" };

export interface ReferencePage {
  /** Below `docs/reference`. */
  readonly file: string;
  readonly text: string;
}

/** A page for each built-in type with a schema, and the index. */
export function referencePages(): ReferencePage[] {
  const types = builtInTypes.toSorted((a, b) => a.name.localeCompare(b.name));
  const policies = new TypeModules(builtInTypes, namespacePolicies);
  return [
    { file: "README.md", text: indexPage(types) },
    ...types
      .filter(({ name }) => elsewhere[name] === undefined)
      .map((type) => ({ file: `${type.name}.md`, text: typePage(type, policies.policyFor(type.name)) })),
  ];
}

function indexPage(types: readonly BuiltInType[]): string {
  const rows = types.map(
    ({ name, versions, description }) =>
      `| [${name}](${elsewhere[name] ?? `${name}.md`}) | ${codes(Object.keys(versions))} | ${cell(description)} |\n`,
  );
  return `# Resource types

${origin}

The types that every installation has, with their properties. \`rad resource-type show\` prints the same for any type,
also for those that a manifest registers. [Add a resource type](../adding/type.md) tells how the list grows.

| type | api-versions | what |
|---|---|---|
${rows.join("")}`;
}

function typePage(type: BuiltInType, policy: TypePolicy): string {
  const actions = Object.keys(type.handler?.actions ?? {});
  return `# ${type.name}

${origin}

${type.description}

| | |
|---|---|
| api-versions | ${codes(Object.keys(type.versions))} |
| PUT | ${mode(policy, policy.putTimeoutMs)} |
| PATCH | ${patches[policy.patch]} |
| DELETE | ${mode(policy, policy.deleteTimeoutMs)} |
| \`location\` | ${policy.locationRequired ? "required" : "optional"} |
| actions | ${actions.length === 0 ? "none" : codes(actions.map((name) => `POST {id}/${name}`))} |
${Object.entries(type.versions)
  .map(([version, schema]) => versionSection(version, schema))
  .join("")}`;
}

const patches: Readonly<Record<TypePolicy["patch"], string>> = {
  put: "replaces the resource, like PUT",
  merge: "changes the members that the body has",
  none: "not supported",
};

function mode(policy: TypePolicy, timeoutMs: number): string {
  return policy.mode === "sync"
    ? "synchronous"
    : `asynchronous; the operation is cancelled after ${duration(timeoutMs)}`;
}

function duration(ms: number): string {
  const minutes = ms / 60_000;
  return minutes > 120 && minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`;
}

function versionSection(version: string, schema: BuiltInType["versions"][string]): string {
  // By path, so that an object is followed by the objects in it.
  const tables = describeSchema(schema).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const sections = tables.map(({ path, rows }) => {
    const heading = path === "" ? `## Properties of ${version}` : `### \`${path}\``;
    return `\n${heading}\n\n| property | type | rules | description |\n|---|---|---|---|\n${rows.map(row).join("")}`;
  });
  return sections.join("");
}

function row(property: PropertyRow): string {
  const { name, description } = property;
  return `| \`${name}\` | ${typeOf(property)} | ${rulesOf(property)} | ${cell(description)} |\n`;
}

function typeOf({ type, holds }: PropertyRow): string {
  if (holds === undefined) {
    return cell(type);
  }
  return `${type === "array" ? "array" : "map"} of ${cell(holds)}`;
}

function rulesOf({ required, readOnly, sensitive, values, variants, ...property }: PropertyRow): string {
  const rules = [
    ...(required ? ["required"] : []),
    ...(readOnly ? ["read-only"] : []),
    ...(sensitive ? ["sensitive"] : []),
    ...(variants === undefined ? [] : [`only if \`${variants.by}\` is ${codes(variants.values, " or ")}`]),
    ...(values === undefined ? [] : [`one of ${codes(values.map(literal))}`]),
    ...(property.default === undefined ? [] : [`default ${codes([literal(property.default)])}`]),
  ];
  return cell(rules.join("; "));
}

function literal(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function codes(texts: readonly string[], separator = ", "): string {
  return texts.map((text) => `\`${text}\``).join(separator);
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
