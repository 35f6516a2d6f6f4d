import type { JsonObject, JsonValue } from "@rad/core";

/** Builds documents of `terraform show -json` for tests. */
export function stateOf(rootModule: JsonObject): JsonObject {
  return { format_version: "1.0", terraform_version: "1.11.4", values: { root_module: rootModule } };
}

/** A managed resource with the address `<type>.x`; `more` replaces and adds members. */
export function resource(type: string, values: JsonValue, more: JsonObject = {}): JsonObject {
  const provider = type.split("_")[0] ?? "";
  return {
    address: `${type}.x`,
    mode: "managed",
    type,
    name: "x",
    provider_name: `registry.terraform.io/hashicorp/${provider}`,
    schema_version: 0,
    values,
    sensitive_values: {},
    ...more,
  };
}
