/** What operations are grouped by; those of registered types by their namespace. */
export const Tag = {
  server: "Server",
  planes: "Planes",
  groups: "Resource groups",
  types: "Resource types",
  operations: "Operations",
  deployments: "Deployments",
  installer: "Terraform installer",
  recipes: "Recipes",
} as const;

export const fixedTags: readonly { readonly name: string; readonly description: string }[] = [
  { name: Tag.server, description: "The server itself: health, version, metrics, audit log, and this document." },
  { name: Tag.planes, description: "The roots of all resource ids." },
  { name: Tag.groups, description: "The scopes that resources live in." },
  { name: Tag.types, description: "Resource providers with their types, api-versions and locations." },
  { name: Tag.operations, description: "Asynchronous operations." },
  { name: Tag.deployments, description: "Templates that are deployed as a whole." },
  { name: Tag.installer, description: "The Terraform or OpenTofu that recipes run." },
  { name: Tag.recipes, description: "Logs of recipes, what they left behind, and what they need." },
];
