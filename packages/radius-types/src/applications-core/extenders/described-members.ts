/** What an extender has besides the values that its author or its recipe made up. */
export const describedMembers: ReadonlySet<string> = new Set([
  "application",
  "environment",
  "provisioningState",
  "recipe",
  "resourceProvisioning",
  "secrets",
  "status",
]);
