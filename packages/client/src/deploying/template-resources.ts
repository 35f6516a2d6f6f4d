import type { JsonObject, JsonValue } from "@rad/core";
import { isJsonObject, objectMember } from "@rad/core";
import { environmentTypes } from "@rad/radius-types/families";

/** Whether a template makes an environment of its own, so that it can do without one. */
export function createsEnvironment(template: JsonObject): boolean {
  return templateResources(template).some(({ type }) => environmentTypes.includes(type.toLowerCase()));
}

/** Whether a template makes the application of this name; a name that is an expression may well be it. */
export function createsApplication(template: JsonObject, wanted: string): boolean {
  return applicationsOf(template).some(({ entry }) => {
    const name = entry["name"] ?? objectMember(entry, "properties")["name"];
    return typeof name !== "string" || name.startsWith("[") || name.toLowerCase() === wanted.toLowerCase();
  });
}

/** How many applications a template declares; a loop counts as one. */
export function countApplications(template: JsonObject): number {
  return applicationsOf(template).length;
}

function applicationsOf(template: JsonObject): TemplateResource[] {
  return templateResources(template).filter(({ type }) => /^(?:applications|radius)\.core\/applications$/i.test(type));
}

/** The Radius types that no extension serves, in a template that has no other types. */
export function typesTakenForAzure(template: JsonObject): string[] {
  const resources = templateResources(template).filter(
    ({ type }) => type.toLowerCase() !== "microsoft.resources/deployments",
  );
  if (!resources.every(({ type }) => /^(applications|radius)\./i.test(type))) {
    return [];
  }
  return resources
    .filter(({ entry }) => entry["import"] === undefined && entry["extension"] === undefined)
    .map(({ type }) => type);
}

/** Types that count as Azure's only because no extension of the template serves them. */
export function typesWithoutExtension(template: JsonObject): string[] {
  const types = templateResources(template)
    .filter(({ type, entry }) => entry["import"] === undefined && entry["extension"] === undefined && type !== "")
    .map(({ type }) => type);
  return [...new Set(types)].filter((type) => !/^microsoft\./i.test(type));
}

/** The environments of a template that say nothing about recipe packs, neither a list nor an expression. */
export function environmentsWithoutPacks(template: JsonObject): JsonObject[] {
  return templateResources(template).flatMap(({ type, entry }) => {
    if (type.toLowerCase() !== "radius.core/environments") {
      return [];
    }
    const outer = entry["properties"];
    if (!isJsonObject(outer)) {
      return [];
    }
    // Compiled resources of an extension have their own properties one level down.
    const properties = isJsonObject(outer["properties"]) ? outer["properties"] : outer;
    return Object.keys(properties).some((key) => key.toLowerCase() === "recipepacks") ? [] : [properties];
  });
}

/** A resource of a template that would be created or changed. */
interface TemplateResource {
  /** Without its version. */
  readonly type: string;
  /** The entry in the template, to look at and to change. */
  readonly entry: JsonObject;
}

/** All resources that a template deploys, those of its modules included; what it only reads is left out. */
function templateResources(template: JsonObject, found: TemplateResource[] = []): TemplateResource[] {
  for (const entry of entriesOf(template["resources"])) {
    if (entry["existing"] !== true) {
      const type = typeof entry["type"] === "string" ? (entry["type"].split("@")[0] ?? "") : "";
      found.push({ type, entry });
      templateResources(objectMember(objectMember(entry, "properties"), "template"), found);
      templateResources(entry, found);
    }
  }
  return found;
}

/** An array, or a map by symbolic name. */
function entriesOf(resources: JsonValue | undefined): JsonObject[] {
  if (Array.isArray(resources)) {
    return resources.filter(isJsonObject);
  }
  return isJsonObject(resources) ? Object.values(resources).filter(isJsonObject) : [];
}
