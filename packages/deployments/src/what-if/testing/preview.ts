import assert from "node:assert/strict";
import { objectMember, ResourceId, type JsonObject, type JsonValue } from "@rad/core";
import type { DeploymentHost } from "../../deployment-host.ts";
import { previewDeployment, type PreviewRequest } from "../preview-deployment.ts";
import { type FakeTarget, fakeHost, group, inputOf, requester } from "./fake-world.ts";

/** The `properties` of what the API answers. */
export async function preview(
  target: FakeTarget,
  template: JsonValue,
  parameters: JsonObject = {},
  more: Partial<PreviewRequest> = {},
  host: Partial<DeploymentHost> = {},
): Promise<JsonObject> {
  const answer = await previewDeployment(fakeHost(target, host), {
    id: ResourceId.parse(`${group}/providers/Microsoft.Resources/deployments/main`),
    input: inputOf(template, parameters),
    requester,
    resultFormat: "FullResourcePayloads",
    changesToIgnore: new Set(),
    planRecipes: false,
    signal: new AbortController().signal,
    ...more,
  });
  assert.equal(answer["status"], "Succeeded");
  return objectMember(answer, "properties");
}

export const list = (of: JsonObject, name: string): JsonObject[] => of[name] as JsonObject[];

/** `Create a`, in the order of the answer. */
export function summary(of: JsonObject, name = "changes"): string[] {
  return list(of, name).map(
    (change) => `${text(change, "changeType")} ${text(change, "resourceId").split("/").at(-1)}`,
  );
}

function text(of: JsonObject, name: string): string {
  const value = of[name];
  return typeof value === "string" ? value : "";
}
