import type { GoldenType } from "../../testing/golden-type.ts";
import { applicationId } from "../../testing/ids.ts";
import { fullBodies } from "./full-body.ts";
import { volumeRenderer } from "./render.ts";
import { volumes } from "./schema.ts";

const vault = "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/kv";
const common = { kind: "azure.com.keyvault", application: applicationId, resource: vault };

export const volumeGoldens: GoldenType = {
  type: volumes,
  renderer: volumeRenderer,
  folder: new URL("goldens/", import.meta.url),
  cases: [
    ...fullBodies.map((properties) => ({ name: "every property", properties })),
    { name: "nothing of the vault", properties: common },
    {
      name: "defaults",
      properties: {
        ...common,
        secrets: { b: { name: "second" }, a: { name: "first" } },
        keys: { k: { name: "key", version: "2" } },
        certificates: { c: { name: "cert" } },
      },
    },
    {
      name: "parts of a certificate",
      properties: {
        ...common,
        certificates: {
          private: { name: "cert", certType: "privatekey", encoding: "base64", format: "pem" },
          public: { name: "cert", certType: "publickey", encoding: "base64", alias: "cert.pub" },
          whole: { name: "cert", certType: "certificate", encoding: "base64", format: "pfx", alias: 'a "quoted" name' },
        },
      },
    },
  ],
};
