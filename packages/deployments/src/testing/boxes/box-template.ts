import type { JsonObject } from "@rad/core";
import { symbolic } from "@rad/templates/testing";
import { boxType, boxVersion } from "./box-target.ts";

interface BoxTemplateParts {
  readonly parameters?: JsonObject;
  readonly outputs?: JsonObject;
  /** Of the extension, besides the account. */
  readonly config?: JsonObject;
}

/** A template that can use boxes, of the account that its parameter `account` names. */
export function boxTemplate(
  resources: JsonObject,
  { parameters = {}, config = {}, ...more }: BoxTemplateParts = {},
): JsonObject {
  return symbolic({
    languageVersion: "2.1-experimental",
    imports: {
      radius: { provider: "Radius", version: "latest" },
      boxes: { provider: "Boxes", version: "1.0.0", config: { account: "[parameters('account')]", ...config } },
    },
    parameters: { account: { type: "string" }, ...parameters },
    resources,
    ...more,
  });
}

export function box(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { import: "boxes", type: `${boxType}@${boxVersion}`, properties: { properties }, ...more };
}
