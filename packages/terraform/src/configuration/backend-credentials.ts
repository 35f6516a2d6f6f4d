import type { AwsCredential, AzureCredential, CloudCredentials } from "./cloud-credentials.ts";
import { awsTokenFile, azureTokenFile } from "./cloud-credentials.ts";

/** Arguments with which settings choose how a backend authenticates. */
const ownCredentials: Readonly<Record<string, RegExp>> = {
  azurerm: /^(?:access_key|sas_token|client_|use_|oidc_|msi_|ado_)/u,
  s3: /^(?:access_key|secret_key|token|profile|shared_|assume_role)/u,
};

/** Variables for a backend, and which of their values no log may show. */
export interface BackendVariables {
  readonly env: Readonly<Record<string, string>>;
  readonly secretValues: readonly string[];
}

const nothing: BackendVariables = { env: {}, secretValues: [] };

/** Registered credentials, for a backend of the same cloud whose settings have none of their own. */
export function registeredCredentials(
  type: string,
  settings: readonly string[],
  { azure, aws }: CloudCredentials,
  session: string,
): BackendVariables {
  if (settings.some((argument) => ownCredentials[type]?.test(argument) === true)) {
    return nothing;
  }
  if (type === "azurerm" && azure !== undefined) {
    return azureVariables(azure);
  }
  return type === "s3" && aws !== undefined ? awsVariables(aws, session) : nothing;
}

function azureVariables(credential: AzureCredential): BackendVariables {
  const identity = { ARM_CLIENT_ID: credential.clientId, ARM_TENANT_ID: credential.tenantId };
  switch (credential.kind) {
    case "ServicePrincipal":
      return {
        env: { ...identity, ARM_CLIENT_SECRET: credential.clientSecret },
        secretValues: [credential.clientSecret],
      };
    case "WorkloadIdentity":
      return {
        env: { ...identity, ARM_USE_OIDC: "true", ARM_USE_CLI: "false", ARM_OIDC_TOKEN_FILE_PATH: azureTokenFile },
        secretValues: [],
      };
    default:
      return credential satisfies never;
  }
}

function awsVariables(credential: AwsCredential, session: string): BackendVariables {
  switch (credential.kind) {
    case "AccessKey": {
      const { accessKeyId, secretAccessKey } = credential;
      return {
        env: { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
        secretValues: [accessKeyId, secretAccessKey],
      };
    }
    case "IRSA":
      return {
        env: {
          AWS_ROLE_ARN: credential.roleARN,
          AWS_ROLE_SESSION_NAME: session,
          AWS_WEB_IDENTITY_TOKEN_FILE: awsTokenFile,
        },
        secretValues: [],
      };
    default:
      return credential satisfies never;
  }
}
