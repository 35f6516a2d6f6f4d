import type { JsonObject } from "@rad/core";
import type { Backend } from "./backend.ts";

/** A look at a backend: the files of a run, and the command that reads without writing. */
export interface BackendLook {
  readonly files: Readonly<Record<string, string>>;
  readonly command: "state pull" | "workspace list";
}

/**
 * Files with which Terraform takes a backend for initialized. `terraform init` creates an empty state in some backends, and
 * takes a lock for that; listing workspaces only reads. The backend `http` has no workspaces, and its states are just read.
 */
export function backendLook({ type, config }: Backend): BackendLook {
  const quiet: JsonObject = { ...config, ...harmless[type] };
  return {
    files: {
      "main.tf.json": JSON.stringify({ terraform: { backend: { [type]: quiet } } }),
      ".terraform/terraform.tfstate": JSON.stringify({
        version: 3,
        serial: 1,
        lineage: "00000000-0000-0000-0000-000000000000",
        backend: { type, config: quiet, hash: 0 },
      }),
    },
    command: type === "http" ? "state pull" : "workspace list",
  };
}

/** With these the backend creates nothing, and does not try for minutes. */
const harmless: Readonly<Record<string, JsonObject>> = {
  http: { retry_max: 0 },
  pg: { skip_schema_creation: true, skip_table_creation: true, skip_index_creation: true },
};

/** Whether a backend answered that its part for this state is not there yet: the first run makes it. */
export function isEmptyBackend(type: string, error: string): boolean {
  return type === "pg" && /(?:relation|schema) "[^"]*" does not exist/u.test(error);
}
