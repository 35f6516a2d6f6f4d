import assert from "node:assert/strict";
import { it } from "node:test";
import { terraformFolder } from "../tests/terraform-folder.ts";
import { realTerraform } from "./real-binaries.ts";
import { startBlobStorage, startS3Storage } from "./storage.ts";

const init = ["init", "-no-color", "-input=false"];
const apply = ["apply", "-auto-approve", "-no-color", "-input=false"];

it("Terraform keeps a state in S3 with a lock file, and a wrong key is refused", async () => {
  await using storage = await startS3Storage();
  const backend = `
terraform {
  backend "s3" {
    bucket                      = "${storage.bucket}"
    key                         = "a/b.tfstate"
    region                      = "eu-central-1"
    endpoints                   = { s3 = "${storage.url}" }
    use_lockfile                = true
    use_path_style              = true
    skip_credentials_validation = true
    skip_metadata_api_check     = true
    skip_region_validation      = true
    skip_requesting_account_id  = true
  }
}
resource "terraform_data" "x" { input = "kept" }
`;
  const env = { SSL_CERT_FILE: storage.caFile, AWS_ACCESS_KEY_ID: storage.accessKeyId };
  await using folder = await open({ ...env, AWS_SECRET_ACCESS_KEY: storage.secretAccessKey });
  await folder.write({ "main.tf": backend });
  await folder.run(...init);
  await folder.run(...apply);

  assert.deepEqual(await storage.keys(), ["a/b.tfstate"]);
  assert.match(await storage.read("a/b.tfstate"), /"kept"/u);
  assert.ok(storage.requests.some((line) => /^PUT \/states\/a\/b\.tfstate\.tflock\S* 200$/u.test(line)));
  await using stranger = await open({ ...env, AWS_SECRET_ACCESS_KEY: "wrong" });
  await stranger.write({ "main.tf": backend });
  await assert.rejects(stranger.run(...init), /SignatureDoesNotMatch|403/u);
});

it("Terraform keeps a state in a storage account under its public name, and a wrong key is refused", async () => {
  await using storage = await startBlobStorage();
  const backend = `
terraform {
  backend "azurerm" {
    storage_account_name = "${storage.account}"
    container_name       = "${storage.container}"
    key                  = "a/b.tfstate"
  }
}
resource "terraform_data" "x" { input = "kept" }
`;
  const env = { SSL_CERT_FILE: storage.caFile, HTTPS_PROXY: storage.proxyUrl };
  await using folder = await open({ ...env, ARM_ACCESS_KEY: storage.key });
  await folder.write({ "main.tf": backend });
  await folder.run(...init);
  await folder.run(...apply);

  assert.deepEqual(await storage.blobs(), ["a/b.tfstate"]);
  assert.match(await storage.read("a/b.tfstate"), /"kept"/u);
  assert.ok(storage.requests.some((line) => line.startsWith("PUT /states/a/b.tfstate?comp=lease")));
  await using stranger = await open({ ...env, ARM_ACCESS_KEY: Buffer.alloc(64, 1).toString("base64") });
  await stranger.write({ "main.tf": backend });
  await assert.rejects(stranger.run(...init), /403|AuthorizationFailure|AuthenticationFailed/u);
  assert.deepEqual(storage.refusedHosts, []);
});

async function open(env: Readonly<Record<string, string>>) {
  const { file } = await realTerraform();
  return await terraformFolder({ binary: file, cli: "", env });
}
