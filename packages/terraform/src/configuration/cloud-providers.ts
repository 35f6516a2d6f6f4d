import type { AwsCredential, AzureCredential } from "./cloud-credentials.ts";
import { awsTokenFile, azureTokenFile } from "./cloud-credentials.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { clusterArguments } from "./cluster-access.ts";
import { ConfigurationError } from "./configuration-error.ts";
import type { ProviderArguments } from "./provider-arguments.ts";

const nothing: ProviderArguments = { plain: {}, secrets: {} };

/** `azurerm` cannot do without `features`. */
export function azurermArguments(
  scope: string | undefined,
  credential: AzureCredential | undefined,
): ProviderArguments {
  const subscription = scope === undefined ? undefined : segmentAfter(scope, "subscriptions");
  if (scope !== undefined && subscription === undefined) {
    throw invalidScope("Azure", scope, "subscription");
  }
  const { plain, secrets } = azureCredential(credential);
  const scoped = subscription !== undefined && { subscription_id: subscription };
  return { plain: { features: {}, ...scoped, ...plain }, secrets };
}

export function awsArguments(
  scope: string | undefined,
  credential: AwsCredential | undefined,
  session: string,
): ProviderArguments {
  const region = scope === undefined ? undefined : segmentAfter(scope, "regions");
  if (scope !== undefined && region === undefined) {
    throw invalidScope("AWS", scope, "region");
  }
  const { plain, secrets } = awsCredential(credential, session);
  return { plain: { ...(region !== undefined && { region }), ...plain }, secrets };
}

/** A pod finds its cluster without arguments. */
export function kubernetesArguments(access: ClusterAccess | undefined): ProviderArguments {
  if (access === undefined) {
    return nothing;
  }
  const token = access.kind === "explicit" ? access.token : undefined;
  return { plain: clusterArguments(access), secrets: token === undefined ? {} : { token } };
}

/** A credential that lacks a part is as good as none. */
function azureCredential(credential: AzureCredential | undefined): ProviderArguments {
  if (credential === undefined || credential.clientId === "" || credential.tenantId === "") {
    return nothing;
  }
  const identity = { client_id: credential.clientId, tenant_id: credential.tenantId };
  switch (credential.kind) {
    case "ServicePrincipal":
      return credential.clientSecret === ""
        ? nothing
        : { plain: identity, secrets: { client_secret: credential.clientSecret } };
    case "WorkloadIdentity":
      return {
        plain: { ...identity, use_oidc: true, use_cli: false, oidc_token_file_path: azureTokenFile },
        secrets: {},
      };
    default:
      return credential satisfies never;
  }
}

function awsCredential(credential: AwsCredential | undefined, session: string): ProviderArguments {
  switch (credential?.kind) {
    case undefined:
      return nothing;
    case "AccessKey": {
      const { accessKeyId, secretAccessKey } = credential;
      return accessKeyId === "" || secretAccessKey === ""
        ? nothing
        : { plain: {}, secrets: { access_key: accessKeyId, secret_key: secretAccessKey } };
    }
    case "IRSA": {
      const role = { role_arn: credential.roleARN, session_name: session, web_identity_token_file: awsTokenFile };
      return credential.roleARN === "" ? nothing : { plain: { assume_role_with_web_identity: role }, secrets: {} };
    }
    default:
      return credential satisfies never;
  }
}

/** The name that follows a word in a scope: `us-west-2` in `/planes/aws/aws/accounts/1/regions/us-west-2`. */
function segmentAfter(scope: string, word: string): string | undefined {
  const segments = scope.split("/");
  const at = segments.findIndex((segment) => segment.toLowerCase() === word);
  const name = at === -1 ? undefined : segments[at + 1];
  return name === "" ? undefined : name;
}

function invalidScope(cloud: string, scope: string, part: string): ConfigurationError {
  return new ConfigurationError(
    "RecipeConfigurationFailure",
    `invalid ${cloud} provider scope "${scope}" is configured on the Environment, ${part} is required in the scope`,
  );
}
