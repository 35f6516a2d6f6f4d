import { applicationPolicy, asynchronousPolicy, basePolicy, type TypePolicy } from "@rad/resources/policy";

/** How types are treated that others register in one of our namespaces. */
export const namespacePolicies: readonly (readonly [string, TypePolicy])[] = [
  ["Applications.Core", applicationPolicy],
  ["Applications.Datastores", asynchronousPolicy(60, 30)],
  ["Applications.Messaging", asynchronousPolicy(60, 30)],
  ["Applications.Dapr", asynchronousPolicy(60, 60)],
  ["Radius.Core", basePolicy],
];
