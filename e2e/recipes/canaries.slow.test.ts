// 30 secrets flow through credentials, parameters, tokens and a backend while Terraform logs everything. They reach the
// provider and the state, and no file, log, event, span, API answer, process argument or database.
import assert from "node:assert/strict";
import { it } from "node:test";
import { startCollector } from "@rad/control-plane/testing";
import { startS3Storage } from "@rad/terraform/testing/storage";
import { auditLines, clientOf, group } from "../support/api.ts";
import { databases } from "../support/database.ts";
import { bucketModule } from "./bucket-module.ts";
import { assertNoFile, assertNoText, canary, commandLines } from "../support/leaks.ts";
import {
  bucketId,
  coreVersion,
  createPlatform,
  deleteBucket,
  deployBucket,
  openRecipeRig,
  putSecret,
} from "./recipe-rig.ts";

/** What is hard to escape in HCL, JSON, a shell, a log line or a URL. */
const traps = [
  '"',
  "'",
  "\\",
  "${self}",
  "%{if true}",
  "$${x}",
  "é ∂ 漢 🔑",
  "\u00a0👩\u200d💻",
  "\n",
  "\t",
  "&=?#/+",
  "<!--",
  "{{x}}",
  "$(id)",
];

const module = bucketModule
  .replace(`variable "secret" {`, `variable "secrets" {\n  type = any\n  sensitive = true\n}\nvariable "secret" {`)
  .replace("secret = var.secret", "secret = jsonencode(var.secrets)")
  .replace(
    "values = { arn = aws_s3_bucket.this[0].arn }",
    "values = { arn = aws_s3_bucket.this[0].arn }\n    secrets = { password = var.secrets.p0 }",
  )
  .replace(/\}\s*$/u, "  sensitive = true\n}\n");

it("30 secrets reach the provider and the backend's state, and nothing else", async () => {
  const parameters = Array.from({ length: 26 }, (_, index) => canary(`P${index}x`, traps[index % traps.length] ?? ""));
  // Headers and environment variables carry no line breaks.
  const [mirrorToken, registryToken] = [canary("Mirror", `"$\{a}'`), canary("Registry", `%{b}\\`)];
  const [cloudKey, storageKey] = [canary("Cloud", "+/=$"), canary("Storage", "/+=")];
  const all = [...parameters, mirrorToken, registryToken, cloudKey, storageKey];
  assert.equal(all.length, 30);

  await using rig = await openRecipeRig();
  await using storage = await startS3Storage({ ca: rig.ca, secretAccessKey: storageKey.value });
  await using collector = await startCollector();
  rig.mirror.setToken(mirrorToken.value);
  rig.registry.setToken(registryToken.value);
  rig.registry.publish("acme/secret/aws", "1.0.0", { "main.tf": module });
  await using database = await databases.sqlite();
  const server = await database.startServer({
    ...rig.config(database.folder),
    tracerProvider: { otlp: { endpoint: collector.url } },
  });
  const seen: string[] = [];
  const read = async (url: string): Promise<string> => {
    const response = await fetch(`${server.url}${url}`, { headers: { authorization: `Bearer ${server.token}` } });
    assert.equal(response.status, 200, url);
    return await response.text();
  };
  try {
    await rig.prepare(server);
    await clientOf(server).resources.put(
      "/planes/aws/aws/providers/System.AWS/credentials/default",
      {
        location: "global",
        properties: {
          kind: "AccessKey",
          storage: { kind: "Internal" },
          accessKeyId: "AKIACANARY",
          secretAccessKey: cloudKey.value,
        },
      },
      { apiVersion: "2023-10-01-preview" },
    );
    const values = Object.fromEntries(parameters.map(({ value }, index) => [`p${index}`, value]));
    const secretId = await putSecret(server, "parameters", values);
    const references = Object.fromEntries(Object.keys(values).map((key) => [key, { secretId, key }]));
    const storageSecret = await putSecret(server, "storage", {
      secret: storage.secretAccessKey,
      id: storage.accessKeyId,
    });
    const environment = await createPlatform(rig, server, {
      name: "canaries",
      logLevel: "TRACE",
      source: `${rig.registry.host}/acme/secret/aws:1.0.0`,
      tokens: { mirror: mirrorToken.value, registry: registryToken.value },
      parameters: { secrets: references },
      backend: {
        type: "s3",
        config: {
          ...storage.backend,
          accessKey: { secretId: storageSecret, key: "id" },
          secretKey: { secretId: storageSecret, key: "secret" },
        },
      },
    });
    const stall = rig.cloud.fault(/^create/u, { kind: "stall", when: "after" }, { times: 1 });
    const deployed = deployBucket(server, "canaries", { environment });
    await Promise.race([stall.first, deployed]);

    // While Terraform, its provider and the supervisor run.
    assertNoFile(database.folder, all);
    for (const line of commandLines()) {
      seen.push(line);
    }
    seen.push(JSON.stringify(await clientOf(server).resources.get(bucketId("canaries"), { apiVersion: "2025-01-01" })));
    stall[Symbol.dispose]();
    seen.push(JSON.stringify(await deployed));

    const created = rig.cloud.requests.find(({ action }) => action === "create");
    assert.deepEqual(
      JSON.parse(String(created?.attributes["secret"])),
      values,
      "the provider got every value unchanged",
    );
    const configured = rig.cloud.requests.find(({ action }) => action === "configure");
    const given = JSON.stringify([configured?.attributes, configured?.environment]);
    assert.ok(given.includes(JSON.stringify(cloudKey.value).slice(1, -1)), "the provider got the cloud credentials");
    assert.ok((await storage.keys()).length > 0);

    // A run that fails logs most.
    using _ = rig.cloud.fault(/^update/u, { kind: "fail", when: "before" });
    await deployBucket(server, "canaries", { environment, team: "red" }).catch(
      (error: { wire?: unknown; message: string }) => {
        seen.push(error.message, JSON.stringify(error.wire));
      },
    );
    for (const [target, version] of [
      [`${group}/resources`, "2023-10-01-preview"],
      [bucketId("canaries"), "2025-01-01"],
      [secretId, coreVersion],
      [storageSecret, coreVersion],
    ] as const) {
      seen.push(await read(`${target}?api-version=${version}`));
    }
    const log = await read(`/recipes/logs${bucketId("canaries")}`);
    assert.match(log, /\[TRACE\]|@level|Terraform/u);
    seen.push(log, JSON.stringify(await auditLines(server)), await read("/metrics"), await read("/recipes/orphans"));
    await deleteBucket(server, "canaries");
  } finally {
    await server.end("SIGTERM");
    seen.push(server.output);
    await server[Symbol.asyncDispose]();
  }

  assertNoFile(database.folder, all);
  seen.push(...collector.received.map(({ body }) => body.toString("latin1")));
  assertNoText(seen, all);
});
