import { asynchronousPolicy } from "@rad/resources/policy";
import { defineType } from "../../built-in-type.ts";
import { asResource } from "../../shapes/resource-schema.ts";
import { choice, map, object, text, variants } from "../../shapes/schema-parts.ts";
import { scope } from "../../shapes/scope.ts";
import { resourceStatus } from "../../shapes/status.ts";
import { applicationsVersion } from "../version.ts";

const vaultObject = {
  name: text("Its name in the vault."),
  alias: text("The name of the file in the volume."),
  version: text("Its version; the latest when absent."),
};
const encoding = choice("How the file's content is written.", ["utf-8", "hex", "base64"], { default: "utf-8" });

export const volumes = defineType({
  name: "Applications.Core/volumes",
  description: "Storage that containers mount.",
  policy: asynchronousPolicy(2, 2),
  versions: {
    [applicationsVersion]: () =>
      asResource(
        variants({
          description: "The properties of a volume.",
          by: "kind",
          byDescription: "Where the content of the volume comes from.",
          common: { ...scope, status: resourceStatus() },
          required: ["application"],
          variants: {
            "azure.com.keyvault": {
              description: "An Azure Key Vault.",
              properties: {
                resource: text("The resource id of the vault."),
                certificates: map(
                  "Certificates to mount.",
                  object(
                    "A certificate.",
                    {
                      ...vaultObject,
                      encoding,
                      format: choice("The format of the file.", ["pem", "pfx"], { default: "pem" }),
                      certType: choice("Which part of it to mount.", ["certificate", "privatekey", "publickey"]),
                    },
                    ["name"],
                  ),
                ),
                keys: map("Keys to mount.", object("A key.", vaultObject, ["name"])),
                secrets: map("Secrets to mount.", object("A secret.", { ...vaultObject, encoding }, ["name"])),
              },
              required: ["resource"],
            },
          },
        }),
      ),
  },
});
