import { credentialVariables } from "./backend-arguments.ts";

/** Variables that would take a run out of its folder, its workspace or its redacted log, or make it wait for answers. */
const reserved = new Set([
  "TF_WORKSPACE",
  "TF_DATA_DIR",
  "TF_CLI_CONFIG_FILE",
  "TF_IN_AUTOMATION",
  "TF_INPUT",
  "TF_REATTACH_PROVIDERS",
  "TF_LOG_PATH",
  "TF_TEMP_LOG_PATH", // appends a trace to any file that exists
  "TF_LOG_SDK_PROTO_DATA_DIR", // providers write all that they are told, secrets too
]);

const credentials = new Set([
  ...credentialVariables,
  "AWS_SECURITY_TOKEN",
  "AZURE_CLIENT_SECRET",
  "AZURE_CLIENT_CERTIFICATE_PASSWORD",
  "AZDO_PERSONAL_ACCESS_TOKEN",
  "GOOGLE_CREDENTIALS",
  "GOOGLE_CLOUD_KEYFILE_JSON",
  "GCLOUD_KEYFILE_JSON",
  "PGPASSWORD",
  "VAULT_TOKEN",
  "NOMAD_TOKEN",
  "TFE_TOKEN",
  "GITHUB_TOKEN",
  "GH_TOKEN",
  "GITLAB_TOKEN",
  "CLOUDFLARE_API_TOKEN",
  "CLOUDFLARE_API_KEY",
  "DIGITALOCEAN_TOKEN",
  "DIGITALOCEAN_ACCESS_TOKEN",
  "HCLOUD_TOKEN",
  "LINODE_TOKEN",
  "OS_PASSWORD",
  "OS_APPLICATION_CREDENTIAL_SECRET",
  "DATABRICKS_TOKEN",
  "MONGODB_ATLAS_PRIVATE_KEY",
  "DD_API_KEY",
  "DD_APP_KEY",
]);

export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/u.test(name);
}

/** Whether a variable belongs to the engine: with a value of the user's, runs would not be safe or would not end. */
export function isReservedVariable(name: string): boolean {
  const upper = name.toUpperCase(); // as Windows compares them
  return reserved.has(upper) || upper.startsWith("TF_CLI_ARGS");
}

/** Whether the name of a variable says that it holds a credential. */
export function carriesCredentials(name: string): boolean {
  const upper = name.toUpperCase();
  return credentials.has(upper) || upper.startsWith("TF_TOKEN_");
}
