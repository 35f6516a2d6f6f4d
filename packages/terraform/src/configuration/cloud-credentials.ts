/** What is registered for Azure with the control plane. */
export type AzureCredential =
  | {
      readonly kind: "ServicePrincipal";
      readonly tenantId: string;
      readonly clientId: string;
      readonly clientSecret: string;
    }
  | { readonly kind: "WorkloadIdentity"; readonly tenantId: string; readonly clientId: string };

/** What is registered for AWS with the control plane. */
export type AwsCredential =
  | { readonly kind: "AccessKey"; readonly accessKeyId: string; readonly secretAccessKey: string }
  | { readonly kind: "IRSA"; readonly roleARN: string };

export interface CloudCredentials {
  readonly azure?: AzureCredential | undefined;
  readonly aws?: AwsCredential | undefined;
}

/** Where Kubernetes puts the tokens of a pod's identity. */
export const azureTokenFile = "/var/run/secrets/azure/tokens/azure-identity-token";
export const awsTokenFile = "/var/run/secrets/eks.amazonaws.com/serviceaccount/token";
