import { deploymentPolicy } from "@rad/resources/policy";
import { defineType } from "../../built-in-type.ts";

/** Api-versions that deployments are asked for with, the oldest first: clients differ in which one they know. */
export const deploymentApiVersions = ["2020-10-01", "2022-09-01", "2025-04-01"] as const;

/** Templates and parameters are checked by the deployment engine, so any properties will do here. */
export const deployments = defineType({
  name: "Microsoft.Resources/deployments",
  description: "A template that was deployed to a resource group, and what came of it.",
  policy: deploymentPolicy,
  versions: Object.fromEntries(deploymentApiVersions.map((version) => [version, () => ({})])),
});
