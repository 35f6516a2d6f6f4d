import type { JsonValue } from "@rad/core";
import { asObject, invalidDeployment, memberOf, optionalObject, optionalText, wrongShape } from "./request-shape.ts";

export interface WhatIfSettings {
  readonly resultFormat: "FullResourcePayloads" | "ResourceIdOnly";
  /** Change types, in lower case, that the caller does not want to hear of. */
  readonly changesToIgnore: ReadonlySet<string>;
  /** Asks also for what recipes would change, which takes a while. */
  readonly planRecipes: boolean;
}

const formats = ["FullResourcePayloads", "ResourceIdOnly"] as const;

/** `properties.whatIfSettings` of a request for a what-if. */
export function readWhatIfSettings(body: JsonValue | undefined): WhatIfSettings {
  const properties = asObject(memberOf(asObject(body, "body"), "properties"), "properties");
  const path = "properties.whatIfSettings";
  const settings = optionalObject(properties, "whatIfSettings", "properties") ?? {};
  const asked = optionalText(settings, "resultFormat", path) ?? formats[0];
  const resultFormat = formats.find((format) => format.toLowerCase() === asked.toLowerCase());
  if (resultFormat === undefined) {
    const message = `"${path}.resultFormat" must be "${formats.join('" or "')}", not "${asked}".`;
    throw invalidDeployment(`${path}.resultFormat`, message);
  }
  const ignored = memberOf(settings, "changesToIgnore") ?? [];
  if (!Array.isArray(ignored) || !ignored.every((type) => typeof type === "string")) {
    throw wrongShape(`${path}.changesToIgnore`, "an array of change types", ignored);
  }
  const planRecipes = memberOf(settings, "planRecipes") ?? false;
  if (typeof planRecipes !== "boolean") {
    throw wrongShape(`${path}.planRecipes`, "true or false", planRecipes);
  }
  return { resultFormat, changesToIgnore: new Set(ignored.map((type) => type.toLowerCase())), planRecipes };
}
