import { defineType } from "../../built-in-type.ts";
import { secretIdReference } from "../../shapes/references.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { choice, list, map, readOnly, strictObject, text } from "../../shapes/schema-parts.ts";
import { radiusCorePolicy } from "../policy.ts";
import { radiusCoreVersion } from "../version.ts";
import { bicepSettingsHandler } from "./bicep-settings-handler.ts";

const registry = strictObject("How to log in: exactly one of the three.", {
  basic: strictObject(
    "A user name and a password.",
    { username: text("The user name.", { minLength: 1 }), password: secretIdReference("Where the password is kept.") },
    ["username", "password"],
  ),
  azureWorkloadIdentity: strictObject(
    "Azure workload identity.",
    {
      clientId: text("The client id of the identity.", { minLength: 1 }),
      tenantId: text("The id of its tenant.", { minLength: 1 }),
    },
    ["clientId", "tenantId"],
  ),
  awsIrsa: strictObject(
    "An IAM role for service accounts.",
    { roleArn: text("The ARN of the role.", { minLength: 1 }) },
    ["roleArn"],
  ),
});

const registryAuthentication = strictObject("How to log in.", {
  authenticationMethod: choice("The method; its own members must be there too.", ["BasicAuth", "AzureWI", "AwsIrsa"]),
  basicAuthSecretId: text("The resource id of a secret with the keys `username` and `password`."),
  azureWiClientId: text("The client id of the Azure identity."),
  azureWiTenantId: text("The id of the tenant of the Azure identity."),
  awsIamRoleArn: text("The ARN of the IAM role."),
});

export const bicepSettings = defineType({
  name: "Radius.Core/bicepSettings",
  description: "How Bicep recipes of an environment reach their registries.",
  policy: radiusCorePolicy,
  handler: bicepSettingsHandler,
  versions: {
    [radiusCoreVersion]: () =>
      resourceSchema("The properties of Bicep settings.", {
        authentication: strictObject("How to log in to registries.", {
          registries: map("By registry host.", registry),
        }),
        registryAuthentications: map(
          "The same as `authentication`, in flat form, by registry host.",
          registryAuthentication,
        ),
        referencedBy: readOnly(list("The environments that use the settings.", text("The resource id of one."))),
      }),
  },
});
