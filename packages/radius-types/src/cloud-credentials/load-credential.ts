import { objectMember } from "@rad/core";
import type { ResourceReader } from "@rad/resources";
import { textMember } from "../rendering/members.ts";

export type AwsCredential =
  | { readonly kind: "AccessKey"; readonly accessKeyId: string; readonly secretAccessKey: string }
  | { readonly kind: "IRSA"; readonly roleARN: string };

export type AzureCredential =
  | {
      readonly kind: "ServicePrincipal";
      readonly tenantId: string;
      readonly clientId: string;
      readonly clientSecret: string;
    }
  | { readonly kind: "WorkloadIdentity"; readonly tenantId: string; readonly clientId: string };

type Credentials = Pick<ResourceReader, "get" | "secrets">;

/** The one credential of a cloud that is ever read. */
const credentialIds = {
  aws: "/planes/aws/aws/providers/System.AWS/credentials/default",
  azure: "/planes/azure/azurecloud/providers/System.Azure/credentials/default",
} as const;

/** The credential that recipes use for AWS, in clear; `undefined` where none is registered. */
export async function loadAwsCredential(resources: Credentials): Promise<AwsCredential | undefined> {
  const member = await membersOf(credentialIds.aws, resources);
  switch (member("kind")) {
    case "AccessKey":
      return {
        kind: "AccessKey",
        accessKeyId: member("accessKeyId"),
        secretAccessKey: member("secretAccessKey"),
      };
    case "IRSA":
      return { kind: "IRSA", roleARN: member("roleARN") };
    default:
      return undefined;
  }
}

/** The same for Azure. */
export async function loadAzureCredential(resources: Credentials): Promise<AzureCredential | undefined> {
  const member = await membersOf(credentialIds.azure, resources);
  switch (member("kind")) {
    case "ServicePrincipal":
      return {
        kind: "ServicePrincipal",
        tenantId: member("tenantId"),
        clientId: member("clientId"),
        clientSecret: member("clientSecret"),
      };
    case "WorkloadIdentity":
      return { kind: "WorkloadIdentity", tenantId: member("tenantId"), clientId: member("clientId") };
    default:
      return undefined;
  }
}

/** Reads members by name; all are empty where there is no credential. The type's schema has checked those of each kind. */
async function membersOf(id: string, resources: Credentials): Promise<(name: string) => string> {
  const document = await resources.get(id);
  if (document === undefined) {
    return () => "";
  }
  const properties = objectMember(document.body, "properties");
  const sealed = await resources.secrets(id);
  return (name) => {
    const secret = sealed[`/properties/${name}`];
    return typeof secret === "string" ? secret : (textMember(properties, name) ?? "");
  };
}
