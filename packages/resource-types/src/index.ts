export type { NameKind } from "./names.ts";
export type { Problem } from "./schema/check-value.ts";
export type { ResourceSchema } from "./schema/resource-schema.ts";
export type { Secrets, SplitSecrets } from "./schema/secrets.ts";
export { SchemaError } from "./schema/schema-error.ts";
export { checkIcon, defaultIconHash, iconHash } from "./icons/icon.ts";
export { checkName } from "./names.ts";
export { compileSchema } from "./schema/resource-schema.ts";
export { secretStrings } from "./schema/secrets.ts";
