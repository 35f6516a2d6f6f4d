import type { Value } from "@rad/templates";
import type {
  ReferenceProblem,
  TemplateExport,
  TemplateExtension,
  TemplateOutput,
  TemplateParameter,
  TemplateSource,
} from "../semantics/index.ts";
import { hasFlag, isNullable, objectOf, overload, parameter, PropertyFlags, propertyOf } from "../types/index.ts";
import { ScopeFlags, TypeFlags } from "../types/index.ts";
import { derivedTypeWarnings } from "./arm-derived-types.ts";
import { armTypes } from "./arm-types.ts";
import type { ArmTypes } from "./arm-types.ts";
import { asArray, asObject, asString, member, readJson } from "./json-document.ts";

type Document = ReadonlyMap<string, Value>;

/** An ARM template as modules and imports see it. Text that is no template gives one that only has errors. */
export function readArmTemplate(path: string, text: string): TemplateSource {
  const read = readJson(text);
  const found = "value" in read ? asObject(read.value) : undefined;
  const document: Document = found ?? new Map();
  const types = armTypes(document);
  const isValid = found !== undefined && isTemplate(found);
  const all = Array.from(exportsOf(document, types));
  const exports = new Map<string, TemplateExport>();
  const ambiguousExports = new Map<string, string>();
  for (const exported of all) {
    if (exports.has(exported.name)) {
      ambiguousExports.set(exported.name, `"${exported.name}" is exported more than once.`);
    }
    exports.set(exported.name, exported);
  }
  for (const name of ambiguousExports.keys()) {
    exports.delete(name);
  }
  return {
    origin: { kind: "arm", document, path },
    targetScope: scopeOf(asString(document.get("$schema"))),
    parameters: new Map(Array.from(parametersOf(document, types), (item) => [item.name, item])),
    outputs: new Map(Array.from(outputsOf(document, types), (item) => [item.name, item])),
    extensions: new Map(Array.from(extensionsOf(document, types), (item) => [item.alias, item])),
    exports,
    ambiguousExports,
    warnings: derivedTypeWarnings(document, [...sectionOf(document, "parameters"), ...sectionOf(document, "outputs")]),
    exportWarnings: new Map(
      Array.from(exports.values(), (exported) => [exported.name, exportWarnings(document, exported)]),
    ),
    hasErrors: () => !isValid,
  };
}

function exportWarnings(document: Document, { kind, name }: TemplateExport): readonly ReferenceProblem[] {
  const node = kind === "type" ? member(document.get("definitions"), name) : undefined;
  return node === undefined ? [] : derivedTypeWarnings(document, [node]);
}

function sectionOf(document: Document, name: string): Iterable<Value> {
  return asObject(document.get(name))?.values() ?? [];
}

function isTemplate(document: Document): boolean {
  const resources = document.get("resources");
  const sections = ["parameters", "variables", "outputs", "definitions"].map((name) => document.get(name));
  return (
    typeof document.get("$schema") === "string" &&
    typeof document.get("contentVersion") === "string" &&
    (asArray(resources) !== undefined || asObject(resources) !== undefined) &&
    sections.every((section) => section === undefined || asObject(section) !== undefined)
  );
}

const schemas: readonly (readonly [string, number])[] = [
  ["/deploymenttemplate.json", ScopeFlags.ResourceGroup],
  ["/subscriptiondeploymenttemplate.json", ScopeFlags.Subscription],
  ["/managementgroupdeploymenttemplate.json", ScopeFlags.ManagementGroup],
  ["/tenantdeploymenttemplate.json", ScopeFlags.Tenant],
];

function scopeOf(schema: string | undefined): number {
  const name = (schema ?? "").toLowerCase().replace(/#$/u, "");
  return schemas.find(([end]) => name.endsWith(end))?.[1] ?? ScopeFlags.None;
}

function* parametersOf(document: Document, types: ArmTypes): Iterable<TemplateParameter> {
  for (const [name, node] of asObject(document.get("parameters")) ?? []) {
    const type = types.type(node);
    const required = asObject(node)?.has("defaultValue") !== true && !isNullable(type);
    yield { name, type, required, description: descriptionOf(node) };
  }
}

function* outputsOf(document: Document, types: ArmTypes): Iterable<TemplateOutput> {
  for (const [name, node] of asObject(document.get("outputs")) ?? []) {
    const type = types.type(node);
    yield { name, type, secure: hasFlag(type, TypeFlags.Secure), description: descriptionOf(node) };
  }
}

function* extensionsOf(document: Document, types: ArmTypes): Iterable<TemplateExtension> {
  for (const alias of asObject(document.get("imports"))?.keys() ?? []) {
    yield { alias, configuration: undefined, required: false };
  }
  for (const [alias, extension] of asObject(document.get("extensions")) ?? []) {
    const entries = asObject(member(extension, "config"));
    const properties = Array.from(entries ?? [], ([name, node]) => {
      const type = types.type(node);
      const optional = asObject(node)?.has("defaultValue") === true || isNullable(type);
      return propertyOf(name, type, optional ? 0 : PropertyFlags.Required);
    });
    const configuration = entries === undefined ? undefined : objectOf(properties, { name: "configuration" });
    yield { alias, configuration, required: properties.some(({ flags }) => (flags & PropertyFlags.Required) !== 0) };
  }
}

function* exportsOf(document: Document, types: ArmTypes): Iterable<TemplateExport> {
  for (const [name, node] of asObject(document.get("definitions")) ?? []) {
    if (isExported(node)) {
      yield { kind: "type", name, type: types.type(node), description: descriptionOf(node), symbol: undefined };
    }
  }
  for (const entry of asArray(member(document.get("metadata"), "__bicep_exported_variables!")) ?? []) {
    const name = asString(member(entry, "name"));
    if (name !== undefined) {
      const description = asString(member(entry, "description"));
      yield { kind: "variable", name, type: types.type(member(entry, "type")), description, symbol: undefined };
    }
  }
  for (const namespace of asArray(document.get("functions")) ?? []) {
    for (const [name, node] of asObject(member(namespace, "members")) ?? []) {
      if (isExported(node)) {
        yield functionOf(name, node, types);
      }
    }
  }
}

function functionOf(name: string, node: Value, types: ArmTypes): TemplateExport {
  const parameters = (asArray(member(node, "parameters")) ?? []).map((item, position) => {
    const type = types.type(item);
    return parameter(asString(member(item, "name")) ?? `arg${position}`, type, { optional: isNullable(type) });
  });
  const returns = types.type(member(node, "output"));
  const description = descriptionOf(node);
  return { kind: "function", name, overload: overload(name, { parameters, returns }), description, symbol: undefined };
}

function isExported(node: Value): boolean {
  return member(member(node, "metadata"), "__bicep_export!") === true;
}

function descriptionOf(node: Value): string | undefined {
  return asString(member(member(node, "metadata"), "description"));
}
