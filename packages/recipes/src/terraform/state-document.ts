import { isJsonObject, type JsonObject, type JsonValue, objectMember } from "@rad/core";
import type { TemplateOutput } from "../result/map-outputs.ts";

/** The outputs in what `terraform show -json` prints; `undefined` for a state that holds nothing at all. */
export function outputsOf(state: JsonValue): Readonly<Record<string, TemplateOutput>> | undefined {
  const values = isJsonObject(state) ? state["values"] : undefined;
  if (!isJsonObject(values)) {
    return undefined;
  }
  const outputs = Object.entries(objectMember(values, "outputs")).map(([name, output]) => {
    const { value = null, sensitive } = isJsonObject(output) ? output : {};
    return [name, { value, isSensitive: sensitive === true }] as const;
  });
  return Object.fromEntries(outputs);
}

/** Whether anything that Terraform manages is in the state. Data sources are only looked at. */
export function hasResources(state: JsonValue): boolean {
  const values = isJsonObject(state) ? objectMember(state, "values") : {};
  return hasManaged(objectMember(values, "root_module"));
}

function hasManaged(module: JsonObject): boolean {
  const { resources, child_modules: children } = module;
  const own = Array.isArray(resources) ? resources.filter(isJsonObject) : [];
  return (
    own.some(({ mode }) => mode !== "data") ||
    (Array.isArray(children) ? children.filter(isJsonObject).some(hasManaged) : false)
  );
}
