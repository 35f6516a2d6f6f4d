import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { createCa } from "@rad/artifacts/testing";
import { terraformFolder } from "../tests/terraform-folder.ts";
import type { TerraformFolder } from "../tests/terraform-folder.ts";
import { startCountingCloud } from "./counting-cloud.ts";
import type { CountingCloud } from "./counting-cloud.ts";
import { startModuleRegistry } from "./module-registry.ts";
import type { ModuleRegistry } from "./module-registry.ts";
import { startProviderMirror } from "./provider-mirror.ts";
import type { ProviderMirror } from "./provider-mirror.ts";
import { realOpenTofu, realTerraform } from "./real-binaries.ts";
import { realProvider, testProvider } from "./providers.ts";

const binaries = { terraform: realTerraform, opentofu: realOpenTofu };
const apply = ["apply", "-auto-approve", "-no-color", "-input=false"];
const destroy = ["destroy", "-auto-approve", "-no-color", "-input=false"];
const init = ["init", "-no-color", "-input=false"];

let mirror: ProviderMirror;
let registry: ModuleRegistry;
let cloud: CountingCloud;
before(async () => {
  const ca = createCa("authority of the registries");
  mirror = await startProviderMirror({ ca, token: "mirror-token" });
  registry = await startModuleRegistry({ ca, token: "registry-token" });
  cloud = await startCountingCloud();
  mirror.publish(
    await testProvider({
      address: "hashicorp/aws",
      version: "5.90.0",
      cloud,
      provider: {
        attributes: { region: {} },
        blocks: { assume_role: { attributes: { role_arn: {} } } },
      },
      resources: {
        aws_s3_bucket: {
          attributes: {
            bucket: { required: true, replace: true },
            id: { computed: "{bucket}" },
            arn: { computed: "arn:aws:s3:::{bucket}" },
            region: { computed: "{provider.region}" },
            password: { sensitive: true },
            tags: { type: ["map", "string"] },
            size: { type: "number" },
          },
          blocks: { rule: { attributes: { name: { required: true }, on: { type: "bool" } } } },
        },
      },
      dataSources: { aws_region: { attributes: { name: { computed: "{provider.region}" } } } },
    }),
  );
});
after(async () => {
  await cloud[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
  await mirror[Symbol.asyncDispose]();
});

const bucketModule = `
variable "name" { type = string }
variable "tags" {
  type    = map(string)
  default = {}
}
resource "aws_s3_bucket" "this" {
  bucket = var.name
  tags   = var.tags
  size   = 2.5
  rule {
    name = "first"
    on   = true
  }
}
data "aws_region" "here" {}
output "arn" { value = aws_s3_bucket.this.arn }
output "region" { value = data.aws_region.here.name }
`;

function root(name: string, tags = ""): string {
  return `
terraform {
  required_providers {
    aws = { source = "hashicorp/aws", version = "~> 5.0" }
  }
}
provider "aws" {
  region = "eu-central-1"
  assume_role { role_arn = "arn:aws:iam::1:role/r" }
}
module "bucket" {
  source  = "${registry.host}/acme/bucket/aws"
  version = "1.2.0"
  name    = "${name}"
  tags    = { ${tags} }
}
output "arn" { value = module.bucket.arn }
output "region" { value = module.bucket.region }
`;
}

for (const product of ["terraform", "opentofu"] as const) {
  it(`${product} takes a provider from the mirror and a module from the registry, and the cloud counts`, async () => {
    const module = registry.publish("acme/bucket/aws", "1.2.0", { "main.tf": bucketModule });
    const name = `${product}-bucket`;
    await using folder = await openFolder(product);
    await folder.write({ "main.tf": root(name) });

    await folder.run(...init);
    await folder.run(...apply);
    assert.equal(module.downloads(), 1);
    const output = JSON.parse(await folder.run("output", "-json")) as Record<string, { value: unknown }>;
    assert.deepEqual([output["arn"]?.value, output["region"]?.value], [`arn:aws:s3:::${name}`, "eu-central-1"]);
    const created = cloud.objects().find(({ id }) => id === name);
    assert.deepEqual([created?.attributes["size"], created?.attributes["rule"]], [2.5, [{ name: "first", on: true }]]);

    await folder.run("plan", "-detailed-exitcode"); // exits with 2 if it would change anything
    await folder.write({ "main.tf": root(name, `team = "blue"`) });
    await folder.run(...apply);
    await folder.write({ "main.tf": root(`${name}-new`, `team = "blue"`) });
    await folder.run(...apply);
    await folder.run(...destroy);

    const own = new RegExp(`^${name}`, "u");
    assert.deepEqual([cloud.count("create", own), cloud.count("update", own), cloud.count("delete", own)], [2, 1, 2]);
    assert.deepEqual(cloud.objects(), []);
  });
}

it("the cloud refuses a name that exists, and a provider that it crashes leaves nothing in the state", async () => {
  await using folder = await openFolder("terraform");
  registry.publish("acme/bucket/aws", "1.2.0", { "main.tf": bucketModule });
  await folder.write({ "main.tf": root("taken") });
  await folder.run(...init);
  cloud.put({ type: "aws_s3_bucket", id: "taken", attributes: {} });

  await assert.rejects(folder.run(...apply), /already exists/u);
  cloud.remove("taken");
  using crash = cloud.fault(/^create aws_s3_bucket taken$/u, { kind: "crash", when: "after" }, { times: 1 });
  await assert.rejects(folder.run(...apply), /Plugin did not respond|Could not|request was cancelled/u);

  assert.equal(crash.met, 1);
  assert.deepEqual(
    cloud.objects().map(({ id }) => id),
    ["taken"],
  );
  assert.doesNotMatch(await folder.run("state", "list"), /aws_s3_bucket/u);
  cloud.remove("taken");
});

it("a create that fails in the cloud after its effect is tainted, so that the next apply replaces it", async () => {
  await using folder = await openFolder("terraform");
  registry.publish("acme/bucket/aws", "1.2.0", { "main.tf": bucketModule });
  await folder.write({ "main.tf": root("half") });
  await folder.run(...init);
  using _ = cloud.fault(/^create .* half$/u, { kind: "fail", when: "after" }, { times: 1 });
  await assert.rejects(folder.run(...apply), /bad day/u);

  await folder.run(...apply);

  assert.deepEqual([cloud.count("create", /^half$/u), cloud.count("delete", /^half$/u)], [2, 1]);
  await folder.run(...destroy);
});

for (const [what, pattern, fault, message] of [
  ["an archive that is not what its hash says", /aws_.*zip$/u, { kind: "corrupt", at: 5_000 }, /checksum|zip/u],
  ["a version that is missing", /5\.90\.0\.json$/u, { kind: "status", status: 404 }, /mirror/u],
] as const) {
  it(`the mirror lies: Terraform refuses ${what}`, async () => {
    await using folder = await openFolder("terraform");
    await folder.write({ "main.tf": root("lie") });
    using _ = mirror.fault(pattern, fault);

    await assert.rejects(folder.run(...init), message);
  });
}

it("mirror and registry ask for their tokens", async () => {
  await using folder = await openFolder("terraform");
  await folder.write({ "main.tf": root("tokens") });
  registry.setToken("another");
  await assert.rejects(folder.run(...init), /401|[Uu]nauthorized/u);
  registry.setToken("registry-token");
  mirror.setToken("another");
  await assert.rejects(folder.run(...init), /401|credentials/u);
  mirror.setToken("mirror-token");

  await folder.run(...init);
});

it("the providers random, null and time run as their publishers wrote them", async () => {
  for (const name of ["random", "null", "time"] as const) {
    mirror.publish(await realProvider(name));
  }
  await using folder = await openFolder("terraform");
  await folder.write({
    "main.tf": `
resource "random_string" "password" { length = 12 }
resource "null_resource" "done" { triggers = { password = random_string.password.result } }
resource "time_static" "now" {}
output "password" { value = random_string.password.result }
`,
  });

  await folder.run(...init);
  await folder.run(...apply);

  assert.equal((JSON.parse(await folder.run("output", "-json", "password")) as string).length, 12);
  await folder.run("plan", "-detailed-exitcode");
  await folder.run(...destroy);
});

async function openFolder(product: keyof typeof binaries): Promise<TerraformFolder> {
  const { file } = await binaries[product]();
  const cli = `
credentials "${mirror.host}" {
  token = "mirror-token"
}
credentials "${registry.host}" {
  token = "registry-token"
}
provider_installation {
  network_mirror {
    url = "${mirror.url}"
  }
}
`;
  return await terraformFolder({ binary: file, cli, env: { SSL_CERT_FILE: registry.caFile } });
}
