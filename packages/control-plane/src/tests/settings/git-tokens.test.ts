// Tokens for modules from private Git repositories, in environments, settings and addresses, over HTTP.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { type JsonObject, objectMember } from "@rad/core";
import { findInFiles } from "../../testing/find-in-files.ts";
import { deploymentsVersion, radiusResource, radiusTemplate } from "../../testing/templates.ts";
import { local, type Reply, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";

const legacy = "api-version=2023-10-01-preview";
const core = "api-version=2025-08-01-preview";
const group = `${local}/resourcegroups/apps`;
const store = `${group}/providers/Applications.Core/secretStores/git`;
const secret = `${local}/providers/Radius.Security/secrets/git`;
const pat = "recipeConfig.terraform.authentication.git.pat";

let server: TestServer;
before(async () => {
  server = await startTestServer({ recordsOnly: true });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  const data = { "tls.pat": { value: "canary-stored" }, username: { value: "ann" } };
  const reply = await server.call("PUT", `${store}?${legacy}`, { body: { properties: { type: "generic", data } } });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
});
after(() => server[Symbol.asyncDispose]());

const environmentId = (name: string): string => `${group}/providers/Applications.Core/environments/${name}`;
const putEnvironment = (name: string, more: JsonObject): Promise<Reply> =>
  server.call("PUT", `${environmentId(name)}?${legacy}`, {
    body: { location: "global", properties: { compute: { kind: "kubernetes", namespace: name }, ...more } },
  });
const getEnvironment = (name: string): Promise<Reply> => server.call("GET", `${environmentId(name)}?${legacy}`);
const putPack = (name: string, recipe: JsonObject): Promise<Reply> =>
  server.call("PUT", `${group}/providers/Radius.Core/recipePacks/${name}?${core}`, {
    body: { properties: { recipes: { "Radius.Data/redisCaches": { kind: "terraform", ...recipe } } } },
  });
const putSettings = (name: string, properties: JsonObject): Promise<Reply> =>
  server.call("PUT", `${group}/providers/Radius.Core/terraformSettings/${name}?${core}`, { body: { properties } });
const tokens = (entries: JsonObject): JsonObject => ({
  recipeConfig: { terraform: { authentication: { git: { pat: entries } } } },
});
const recipe = (templatePath: string, more: JsonObject = {}): JsonObject => ({
  recipes: { "Applications.Core/extenders": { default: { templateKind: "terraform", templatePath, ...more } } },
});
const pathOf = (reply: Reply): unknown => {
  const recipes = objectMember(objectMember(reply.body, "properties"), "recipes");
  return objectMember(objectMember(recipes, "Applications.Core/extenders"), "default")["templatePath"];
};
/** Those about tokens: that recipeConfig is deprecated is shown by the tests of settings. */
const warningsOf = ({ headers }: Reply): readonly string[] =>
  [...(headers.get("warning") ?? "").matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)]
    .map(([, text = ""]) => text)
    .filter((text) => !text.startsWith("properties.recipeConfig is deprecated;"));
const textOf = ({ body }: Reply): string => JSON.stringify(body);

it("an environment keeps its Git tokens as they were sent, and PUT replaces them", async () => {
  const sent = tokens({ "github.com": { secret: store }, "dev.azure.com": { secret: store } });
  const created = await putEnvironment("kept", { ...sent, ...recipe("acme/db/aws", { templateVersion: "1.0.0" }) });
  const shown = await getEnvironment("kept");
  const without = await putEnvironment("kept", recipe("acme/db/aws", { templateVersion: "1.0.0" }));

  assert.equal(created.status, 200, textOf(created));
  assert.deepEqual(warningsOf(created), []);
  assert.deepEqual(objectMember(shown.body, "properties")["recipeConfig"], sent["recipeConfig"]);
  assert.equal(objectMember(without.body, "properties")["recipeConfig"], undefined);
  assert.deepEqual(
    objectMember(without.body, "properties")["recipes"],
    objectMember(shown.body, "properties")["recipes"],
  );
});

for (const [what, recipeConfig, warnings] of [
  ["nothing", {}, []],
  ["no authentication", { terraform: {} }, []],
  ["no git", { terraform: { authentication: {} } }, []],
  ["no pat", { terraform: { authentication: { git: {} } } }, []],
  ["no hosts", { terraform: { authentication: { git: { pat: {} } } } }, []],
  [
    "a host without a secret",
    { terraform: { authentication: { git: { pat: { "github.com": {} } } } } },
    [/github\.com.* has no 'secret'/],
  ],
] as const) {
  it(`recipeConfig with ${what} is valid, and means no credentials`, async () => {
    const reply = await putEnvironment("empty", { recipeConfig });

    assert.equal(reply.status, 200, textOf(reply));
    assert.equal(warningsOf(reply).length, warnings.length);
    warnings.forEach((pattern, index) => assert.match(warningsOf(reply)[index] ?? "", pattern));
    assert.deepEqual(objectMember(reply.body, "properties")["recipeConfig"], recipeConfig);
  });
}

for (const host of [
  "",
  "https://github.com",
  "github.com/acme",
  "ann@github.com",
  "git.example:0",
  "git.example:x",
  "a b",
]) {
  it(`the host '${host}' of a Git token is refused with its path, in environments and in settings`, async () => {
    const environment = await putEnvironment("refused", tokens({ [host]: { secret: store } }));
    const settings = await putSettings("refused", { authentication: { git: { pat: { [host]: { secret } } } } });

    for (const reply of [environment, settings]) {
      assert.equal(reply.status, 400, textOf(reply));
      assert.match(textOf(reply), /authentication\.git\.pat/);
      assert.match(textOf(reply), /Write the host name of a Git server/);
    }
  });
}

for (const id of ["", "canary-not-an-id", `${group}/providers/Applications.Core/environments/kept`, group]) {
  it(`'${id.split("/").slice(-2).join("/")}' is refused as the secret of a Git token`, async () => {
    const environment = await putEnvironment("refused", tokens({ "github.com": { secret: id } }));
    const settings = await putSettings("refused", {
      authentication: { git: { pat: { "github.com": { secret: id } } } },
    });

    for (const reply of [environment, settings]) {
      assert.equal(reply.status, 400, textOf(reply));
      assert.match(textOf(reply), /must be the resource id of an Applications\.Core\/secretStores/);
      assert.doesNotMatch(textOf(reply), /canary/);
    }
  });
}

it("one host in two spellings is refused", async () => {
  const reply = await putEnvironment(
    "twice",
    tokens({ "GitHub.com": { secret: store }, "github.com:443": { secret: store } }),
  );

  assert.equal(reply.status, 400);
  assert.match(textOf(reply), /is the same host as 'GitHub\.com'/);
});

it("a secret that does not exist, or has no token, is a warning with its id, in environments and in settings", async () => {
  await server.call("PUT", `${secret}?${core}`, { body: { properties: { data: { other: { value: "x" } } } } });
  const gone = `${store}-gone`;
  const entries = { "github.com": { secret: gone }, "other.example": { secret } };
  const environment = await putEnvironment("early", tokens(entries));
  const settings = await putSettings("early", { authentication: { git: { pat: entries } } });

  for (const reply of [environment, settings]) {
    assert.equal(reply.status, 200, textOf(reply));
    assert.match(warningsOf(reply).join("\n"), /secretStores\/git-gone' does not exist; its key 'pat' is needed/);
    assert.match(warningsOf(reply).join("\n"), /secrets\/git' has no key 'pat'/);
  }
});

it("settings refuse unknown members of authentication, and environments say that they drop them", async () => {
  const settings = await putSettings("members", { authentication: { git: { ssh: {} } } });
  const environment = await putEnvironment("members", {
    recipeConfig: {
      terraform: {
        gitCredentials: { "github.com": { username: "u", pat: "canary" } },
        authentication: { git: { pat: { "github.com": { secret: store, namespace: "n" } } } },
      },
    },
  });

  assert.equal(settings.status, 400);
  assert.match(warningsOf(environment).join("\n"), /gitCredentials/);
  assert.match(warningsOf(environment).join("\n"), /namespace/);
  assert.doesNotMatch(textOf(await getEnvironment("members")), /canary|namespace":"n"/);
});

it("an environment with settings says that its own Git tokens are ignored, and does not look for them", async () => {
  await putSettings("used", {});
  const reply = await putEnvironment("both", {
    ...tokens({ "github.com": { secret: `${store}-gone` } }),
    terraformSettings: `${group}/providers/Radius.Core/terraformSettings/used`,
  });

  assert.deepEqual(warningsOf(reply), [`properties.${pat} is ignored. Use 'terraformSettings' of the environment.`]);
});

it("credentials in the address of a module are sealed, shown as ***, and kept when that is sent back", async () => {
  const first = await putEnvironment("sealed", recipe("git::https://ann:canary-in-path@git.example/a.git?ref=v1"));
  const shown = await getEnvironment("sealed");
  const again = await server.call("PUT", `${environmentId("sealed")}?${legacy}`, { body: shown.body });
  const moved = await putEnvironment("sealed", recipe("git::https://***@git.example/b.git"));

  assert.match(
    warningsOf(first).join("\n"),
    /templatePath carries credentials.*'recipeConfig\.terraform\.authentication\.git\.pat'/,
  );
  for (const reply of [first, shown, again]) {
    assert.equal(reply.status, 200, textOf(reply));
    assert.equal(pathOf(reply), "git::https://***@git.example/a.git?ref=v1");
  }
  assert.deepEqual(warningsOf(again), []);
  assert.equal(pathOf(moved), "git::https://***@git.example/b.git");
  assert.deepEqual(await findInFiles(server.directory, "canary-in-path"), []);
});

it("keys in the query of an address are sealed, shown as ***, and kept when that is sent back", async () => {
  const first = await putEnvironment("keys", recipe("git::ssh://git@git.example/a.git?ref=v1&sshkey=canary-in-query"));
  const shown = await getEnvironment("keys");
  const again = await server.call("PUT", `${environmentId("keys")}?${legacy}`, { body: shown.body });
  const pack = await putPack("keys", { source: "https://git.example/a.zip?archive=zip&sig=canary-in-query" });
  const elsewhere = await putEnvironment("keys", recipe("git::ssh://git@evil.example/a.git?sshkey=***"));

  assert.match(warningsOf(first).join("\n"), /templatePath carries credentials/);
  for (const reply of [first, shown, again]) {
    assert.equal(reply.status, 200, textOf(reply));
    assert.equal(pathOf(reply), "git::ssh://git@git.example/a.git?ref=v1&sshkey=***");
  }
  assert.deepEqual(warningsOf(again), []);
  assert.match(textOf(pack), /a\.zip\?archive=zip&sig=\*\*\*"/);
  assert.equal(elsewhere.status, 400);
  assert.deepEqual(await findInFiles(server.directory, "canary-in-query"), []);
});

for (const [what, path] of [
  ["another host", "git::https://***@evil.example/a.git"],
  ["another port", "git::https://***@git.example:8443/a.git"],
  ["http", "git::http://***@git.example/a.git"],
  ["a host with the name in front", "git::https://***@git.example.evil.example/a.git"],
] as const) {
  it(`stored credentials of an address are not sent to ${what}`, async () => {
    await putEnvironment("moved", recipe("git::https://ann:canary-in-path@git.example/a.git"));
    const reply = await putEnvironment("moved", recipe(path));

    assert.equal(reply.status, 400);
    assert.match(textOf(reply), /there are none for this host here/);
  });
}

it("*** in an address without stored credentials is refused with its path", async () => {
  const environment = await putEnvironment("nothing-stored", recipe("git::https://***@git.example/a.git"));
  const pack = await putPack("nothing-stored", { source: "git::https://***@git.example/a.git" });

  assert.deepEqual([environment.status, pack.status], [400, 400]);
  assert.match(textOf(environment), /templatePath/);
  assert.match(textOf(pack), /source/);
});

it("credentials in the source of a recipe pack are sealed and shown as ***", async () => {
  const first = await putPack("sealed", { source: "git::https://canary-in-pack@git.example/a.git" });
  const again = await putPack("sealed", { source: "git::https://***@git.example/a.git" });

  assert.match(warningsOf(first).join("\n"), /'authentication\.git\.pat' of the Terraform settings/);
  assert.equal(again.status, 200, textOf(again));
  assert.match(textOf(again), /git::https:\/\/\*\*\*@git\.example\/a\.git/);
  assert.deepEqual(await findInFiles(server.directory, "canary-in-pack"), []);
});

it("credentials in an address that a template has are sealed too, written out or made of a secure parameter", async () => {
  const environment = (name: string, templatePath: string): JsonObject =>
    radiusResource("Applications.Core/environments@2023-10-01-preview", name, {
      properties: { compute: { kind: "kubernetes", namespace: name }, ...recipe(templatePath) },
    });
  const template = radiusTemplate({
    parameters: { token: { type: "secureString" } },
    resources: {
      written: environment("written", "git::https://ann:canary-written@git.example/a.git"),
      key: environment("key", "git::ssh://git@git.example/a.git?sshkey=canary-written&ref=v1"),
      made: environment("made", "[concat('git::https://ann:', parameters('token'), '@git.example/a.git')]"),
    },
  });
  const id = `${group}/providers/Microsoft.Resources/deployments/addresses`;
  const parameters = { token: { value: "canary-made" } };
  const body = { properties: { mode: "Incremental", template, parameters } };
  const foreseen = await server.call("POST", `${id}/whatIf?${deploymentsVersion}`, { body });
  const ended = await server.settle(await server.call("PUT", `${id}?${deploymentsVersion}`, { body }));
  const operations = await server.call("GET", `${id}/operations?${deploymentsVersion}`);
  const again = await server.call("POST", `${id}/whatIf?${deploymentsVersion}`, { body });

  assert.equal(ended["status"], "Succeeded", JSON.stringify(ended));
  assert.deepEqual([foreseen.status, again.status], [200, 200]);
  assert.match(textOf(foreseen), /sshkey=\*\*\*&ref=v1/);
  assert.doesNotMatch(`${textOf(foreseen)}${textOf(again)}`, /canary/);
  assert.equal(pathOf(await getEnvironment("key")), "git::ssh://git@git.example/a.git?sshkey=***&ref=v1");
  assert.equal(pathOf(await getEnvironment("written")), "git::https://***@git.example/a.git");
  assert.doesNotMatch(`${JSON.stringify(ended)}${textOf(operations)}${textOf(await getEnvironment("made"))}`, /canary/);
  assert.deepEqual(await findInFiles(server.directory, "canary-written"), []);
  assert.deepEqual(await findInFiles(server.directory, "canary-made"), []);
});

it("the name of an Azure DevOps organisation in an address is no secret, and an address is never rewritten", async () => {
  for (const path of [
    "https://contoso@dev.azure.com/contoso/platform/_git/modules",
    "https://dev.azure.com/test-private-repo",
    "git::ssh://git@github.com/acme/modules.git",
    "github.com/acme/modules//redis?ref=v1",
  ]) {
    const reply = await putEnvironment("same", { ...tokens({ "dev.azure.com": { secret: store } }), ...recipe(path) });

    assert.deepEqual(warningsOf(reply), []);
    assert.equal(pathOf(reply), path);
  }
});

it("an address that cannot be read is refused and not repeated", async () => {
  const reply = await putEnvironment("unreadable", recipe("git::https://ann:canary/slash@git.example/a.git"));

  assert.equal(reply.status, 400);
  assert.match(textOf(reply), /%2F/);
  assert.doesNotMatch(textOf(reply), /canary/);
});

for (const [path, entries] of [
  ["git::https://git.example/a.git", {}],
  ["github.com/acme/modules", {}],
  ["https://git.example/a.git", {}],
  ["https://git.example/a", { "git.example": { secret: store } }],
] as const) {
  it(`templateVersion with ${path} is refused with the hint to use ?ref=`, async () => {
    const reply = await putEnvironment("versioned", { ...tokens(entries), ...recipe(path, { templateVersion: "v1" }) });

    assert.equal(reply.status, 400);
    assert.match(textOf(reply), /'\?ref='/);
    assert.match(textOf(reply), /templateVersion/);
  });
}

/** Every member of this name in a document, at any depth. */
function membersNamed(name: string, value: unknown): JsonObject[] {
  if (typeof value !== "object" || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, member]) => [
    ...(key === name ? [member as JsonObject] : []),
    ...membersNamed(name, member),
  ]);
}

it("the API document describes Git tokens, and no other credentials for Git", async () => {
  const { text, body } = await server.call("GET", "/openapi.json");
  const schemas = membersNamed("git", body).filter(({ type }) => type === "object");

  assert.equal(schemas.length, 2, "environments and settings");
  for (const schema of schemas) {
    const { pat: tokens, ...others } = objectMember(schema, "properties");
    assert.deepEqual(others, {});
    const entry = objectMember(tokens as JsonObject, "additionalProperties");
    assert.deepEqual(Object.keys(objectMember(entry, "properties")), ["secret"]);
  }
  assert.doesNotMatch(text, /gitCredentials|getRecipeConfig|sshKey/i);
});
