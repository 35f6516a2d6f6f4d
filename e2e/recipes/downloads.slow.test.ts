// Where modules and providers come from, under settings and under `recipeConfig`: what may go wrong, and who is asked.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import type { ModuleRegistry, ProviderRegistry } from "@rad/terraform/testing";
import { clientOf } from "../support/api.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { bucketModule } from "./bucket-module.ts";
import { openDownloadRig } from "./download-rig.ts";
import type { DownloadRig } from "./download-rig.ts";
import {
  bucketType,
  coreVersion,
  createPlatform,
  deleteBucket,
  deployBucket,
  failureOf,
  mirrorToken,
  outputResourcesOf,
  put,
  putLegacyPlatform,
  putSecret,
  registryToken,
} from "./recipe-rig.ts";
import type { RecipeRig } from "./recipe-rig.ts";

const scope = "/planes/aws/aws/accounts/123456789012/regions/eu-central-1";

let downloads: DownloadRig;
let rig: RecipeRig;
let publicRegistry: ProviderRegistry;
let modules: ModuleRegistry;
let network: DownloadRig["network"];
let server: ServerProcess;
before(async () => {
  downloads = await openDownloadRig();
  ({ rig, publicRegistry, modules, network, server } = downloads);
});
after(async () => {
  await downloads[Symbol.asyncDispose]();
});

interface Platform {
  readonly name: string;
  /** `NAMESPACE/NAME/SYSTEM` */
  readonly address?: string;
  readonly version?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Of a secret whose value the run reads. */
  readonly secretId?: string;
}

/** Where the configuration of Terraform comes from, and who is asked for providers then. */
const kinds = {
  settings: {
    platform: ({ name, address = "acme/bucket/aws", version = "1.0.0", env, secretId }: Platform) =>
      createPlatform(rig, server, {
        name: `${name}-settings`,
        source: `${modules.host}/${address}:${version}`,
        ...(env === undefined ? {} : { env }),
        ...(secretId === undefined ? {} : { parameters: { secret: { secretId, key: "value" } } }),
      }),
    providers: () => rig.mirror,
    missing: (version: string) => new RegExp(`/${version.replaceAll(".", "\\.")}\\.json$`, "u"),
  },
  recipeConfig: {
    platform: ({ name, address = "acme/bucket/aws", version = "1.0.0", env, secretId }: Platform) =>
      putLegacyPlatform(server, {
        name: `${name}-legacy`,
        source: `${modules.host}/${address}`,
        version,
        scope,
        recipeConfig: {
          env: { ...network, ...env },
          ...(secretId === undefined ? {} : { envSecrets: { SECRET: { source: secretId, key: "value" } } }),
        },
      }),
    providers: () => publicRegistry,
    missing: (version: string) => new RegExp(`/${version.replaceAll(".", "\\.")}/download/`, "u"),
  },
} as const;
type Kind = keyof typeof kinds;

interface Fault {
  /** Of the module; a version of the provider that no run before has downloaded. */
  readonly provider?: string;
  readonly platform?: Omit<Platform, "name">;
  /** What is wrong until it is disposed. */
  readonly arm?: (kind: Kind) => Disposable;
  readonly code: string;
  readonly message: RegExp;
}

/** Each with a module, and where needed a provider, of its own, which no cache has. */
const faults: Readonly<Record<string, Fault>> = {
  "a module that does not exist": {
    platform: { address: "acme/nothing/aws" },
    code: "RecipeDownloadFailed",
    message: /acme\/nothing\/aws/u,
  },
  "a version that does not exist": {
    platform: { version: "9.9.9" },
    code: "RecipeDownloadFailed",
    message: /9\.9\.9/u,
  },
  "a registry that is out of order": {
    arm: () => modules.fault(/\/versions$/u, { kind: "status", status: 503 }),
    code: "RecipeDownloadFailed",
    message: /503|giving up/u,
  },
  "a registry that stalls for longer than TF_REGISTRY_CLIENT_TIMEOUT": {
    platform: { env: { TF_REGISTRY_CLIENT_TIMEOUT: "1", TF_REGISTRY_DISCOVERY_RETRY: "0" } },
    arm: () => modules.fault(/\/versions$/u, { kind: "stall", afterBytes: 0 }),
    code: "RecipeDownloadFailed",
    message: /Client\.Timeout|deadline exceeded/u,
  },
  "an archive of a module that is cut off": {
    arm: () => modules.fault(/\.tar\.gz$/u, { kind: "cut", afterBytes: 50 }),
    code: "RecipeDownloadFailed",
    message: /EOF|download/u,
  },
  "a certificate of an authority that is not trusted": {
    platform: { env: { SSL_CERT_FILE: "/dev/null" } },
    code: "RecipeDownloadFailed",
    message: /certificate/u,
  },
  "a provider that is not what its hash says": {
    provider: "5.91.0",
    arm: (kind) => kinds[kind].providers().fault(/aws_5\.91\.0.*zip$/u, { kind: "corrupt", at: 5_000 }),
    code: "RecipeDeploymentFailed",
    message: /checksum/u,
  },
  "a provider that is listed and not there": {
    provider: "5.92.0",
    arm: (kind) => kinds[kind].providers().fault(kinds[kind].missing("5.92.0"), { kind: "status", status: 404 }),
    code: "RecipeDeploymentFailed",
    message: /aws/u,
  },
  "a provider that nobody has": {
    platform: { address: "acme/unknown/aws" },
    code: "RecipeDeploymentFailed",
    message: /acme\/unknown/u,
  },
};
let cases = 0;
for (const [what, { provider, platform, arm, code, message }] of Object.entries(faults)) {
  for (const kind of ["settings", "recipeConfig"] as const) {
    it(`${what}: ${code} under ${kind}`, async () => {
      cases += 1;
      const name = `fault-${cases}`;
      if (provider !== undefined) {
        await downloads.publishProvider(provider);
      }
      modules.publish(`acme/${name}/aws`, "1.0.0", { "main.tf": bucketModule.replace("~> 5.0", provider ?? "5.90.0") });
      modules.publish("acme/unknown/aws", "1.0.0", {
        "main.tf": `terraform {\n  required_providers {\n    unknown = { source = "acme/unknown" }\n  }\n}\n`,
      });
      const environment = await kinds[kind].platform({ name, address: `acme/${name}/aws`, ...platform });
      using _ = arm?.(kind);

      const error = await failureOf(() => deployBucket(server, name, { environment }));

      assert.equal(error.code, code, error.message);
      assert.match(error.message, message);
      assert.match(error.message, /recipe "default", module .*\brad \w+/su);
      await deleteBucket(server, name);
      assert.deepEqual(rig.cloud.objects(), []);
    });
  }
}

for (const kind of ["settings", "recipeConfig"] as const) {
  it(`ids are the same under ${kind}, and a secret that is missing is named before anything runs`, async () => {
    const name = `same-${kind.toLowerCase()}`;
    const environment = await kinds[kind].platform({ name });
    const ids = outputResourcesOf(await deployBucket(server, name, { environment, bucketName: "same" }));
    await deleteBucket(server, name);
    const secretId = await putSecret(server, `${name}-gone`, { value: "canary" });
    const asked = modules.requests.length;

    await kinds[kind].platform({ name, secretId });
    await clientOf(server).resources.delete(secretId, { apiVersion: coreVersion });
    const error = await failureOf(() => deployBucket(server, name, { environment }));

    assert.deepEqual(ids, ["/planes/aws/aws/accounts/123456789012/regions/global/providers/AWS.s3/bucket/same"]);
    assert.equal(error.code, "LoadSecretsFailed");
    assert.match(error.message, new RegExp(`${name}-gone`, "u"));
    assert.equal(modules.requests.length, asked, "nothing was downloaded");
    await deleteBucket(server, name);
  });
}

it("with a mirror alone nothing else is contacted, and an empty direct allows the registry", async () => {
  const reached = () => publicRegistry.reachedHosts.length + publicRegistry.refusedHosts.length;
  // As in the sample: without a final slash, and with a provider that nothing installs.
  const exclude = ["hashicorp/azurerm"];
  const networkMirror = { url: rig.mirror.url.replace(/\/$/u, ""), include: ["*"], exclude };
  const withoutAws = { networkMirror: { ...networkMirror, exclude: ["hashicorp/aws"] } };
  /** Deploys with a version of the provider that no run before has downloaded. */
  const deploy = async (version: string, providerInstallation: JsonObject) => {
    const name = `from-${version.replaceAll(".", "-")}`;
    modules.publish(`acme/${name}/aws`, "1.0.0", { "main.tf": bucketModule.replace("~> 5.0", version) });
    const environment = await createPlatform(rig, server, {
      name,
      source: `${modules.host}/acme/${name}/aws:1.0.0`,
      env: { HTTPS_PROXY: publicRegistry.proxyUrl },
      providerInstallation,
    });
    await deployBucket(server, name, { environment });
    await deleteBucket(server, name);
  };
  const [sample, mirrorOnly, directOnly] = [
    await downloads.publishProvider("5.93.0"),
    await downloads.publishProvider("5.94.0"),
    await downloads.publishProvider("5.95.0"),
  ];

  await deploy("5.93.0", { networkMirror, direct: { exclude } });
  const before = reached();
  await deploy("5.94.0", { networkMirror });
  const refused = await failureOf(() => deploy("5.95.0", withoutAws));
  const withoutDirect = reached();
  await deploy("5.95.0", { ...withoutAws, direct: {} });

  assert.deepEqual([sample.ofMirror.downloads(), sample.ofRegistry.downloads()], [1, 0]);
  assert.deepEqual([mirrorOnly.ofMirror.downloads(), mirrorOnly.ofRegistry.downloads()], [1, 0]);
  assert.match(refused.message, /hashicorp\/aws/u);
  assert.equal(withoutDirect, before, "nothing else is asked, not even for what the mirror excludes");
  assert.deepEqual([directOnly.ofMirror.downloads(), directOnly.ofRegistry.downloads()], [0, 1]);
  assert.deepEqual(new Set(publicRegistry.reachedHosts), new Set(["registry.terraform.io:443"]));
  assert.deepEqual(publicRegistry.refusedHosts, []);
});

it("a token of a secret in a group is read for every run: after its rotation the new one reaches mirror and registry", async () => {
  const rotated = { mirror: "rotated-mirror-token", registry: "rotated-registry-token" };
  const environment = await createPlatform(rig, server, { name: "rotated" });
  const putTokens = (first: string, second: string): Promise<string> =>
    put(server, "Radius.Security/secrets/tokens", {
      environment,
      data: { first: { value: first }, second: { value: second } },
    });
  const inGroup = await putTokens(mirrorToken, registryToken);
  await put(server, "Radius.Core/terraformSettings/rotated", {
    terraformrc: {
      providerInstallation: { networkMirror: { url: rig.mirror.url } },
      credentials: {
        [rig.mirror.host]: { token: { secretId: inGroup, key: "first" } },
        [rig.registry.host]: { token: { secretId: inGroup, key: "second" } },
      },
    },
    env: { SSL_CERT_FILE: rig.caFile },
  });
  await deployBucket(server, "rotated", { environment });
  rig.mirror.setToken(rotated.mirror);
  rig.registry.setToken(rotated.registry);
  try {
    await downloads.publishProvider("5.97.0");
    rig.registry.publish("acme/bucket/aws", "2.0.0", { "main.tf": bucketModule.replace("~> 5.0", "5.97.0") });
    await put(server, "Radius.Core/recipePacks/rotated", {
      recipes: {
        [bucketType]: { kind: "terraform", source: `${rig.registry.host}/acme/bucket/aws:2.0.0` },
      },
    });
    const refused = await failureOf(() => deployBucket(server, "rotated", { environment, team: "blue" }));
    await putTokens(rotated.mirror, rotated.registry);
    await deployBucket(server, "rotated", { environment, team: "blue" });
    await deleteBucket(server, "rotated");

    assert.match(refused.message, /401|credentials/iu);
  } finally {
    rig.mirror.setToken(mirrorToken);
    rig.registry.setToken(registryToken);
  }
});
