import { applicationPolicy, asynchronousPolicy, basePolicy, type TypePolicy } from "@rad/resources/policy";

/** How our types are treated that say nothing themselves. */
export const namespacePolicies: readonly (readonly [string, TypePolicy])[] = [
  ["Applications.Core", applicationPolicy],
  ["Applications.Datastores", asynchronousPolicy(60, 30)],
  ["Applications.Messaging", asynchronousPolicy(60, 30)],
  ["Applications.Dapr", asynchronousPolicy(60, 60)],
  ["Radius.Core", basePolicy],
];
