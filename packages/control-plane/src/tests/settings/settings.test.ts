// Terraform and Bicep settings, and environments that refer to them, over HTTP.
import assert from "node:assert/strict";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { after, before, it } from "node:test";
import fc from "fast-check";
import { type JsonObject, objectMember } from "@rad/core";
import { findInFiles } from "../../testing/find-in-files.ts";
import { local, type Reply, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";

const v = "api-version=2025-08-01-preview";
const group = `${local}/resourcegroups/apps`;
const at = (scope: string, type: string, name: string): string => `${scope}/providers/Radius.Core/${type}/${name}`;
const secretId = `${local}/providers/Radius.Security/secrets/tokens`;

let server: TestServer;
before(async () => {
  server = await startTestServer({ recordsOnly: true });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
});
after(() => server[Symbol.asyncDispose]());

const put = (id: string, properties: JsonObject, more: JsonObject = {}): Promise<Reply> =>
  server.call("PUT", `${id}?${v}`, { body: { ...more, properties } });
const get = (id: string): Promise<Reply> => server.call("GET", `${id}?${v}`);
const propertiesOf = (reply: Reply): JsonObject => {
  const { provisioningState, ...properties } = objectMember(reply.body, "properties");
  assert.equal(provisioningState, "Succeeded");
  return properties;
};
const messagesOf = ({ body }: Reply): readonly string[] =>
  (objectMember(body, "error")["details"] as JsonObject[]).map(({ message }) => String(message));
const warningsOf = ({ headers }: Reply): readonly string[] =>
  [...(headers.get("warning") ?? "").matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text);

const terraform = {
  terraformrc: {
    providerInstallation: {
      networkMirror: { url: "https://mirror.example/p", include: ["b/b", "a/a", "*"], exclude: ["z/z", "y/y"] },
      direct: {},
    },
    credentials: {
      "App.Terraform.io": { token: { secretId, key: "token" } },
      "upstream.example:8443": { secret: secretId },
    },
  },
  backend: {
    type: "s3",
    config: { bucket: "b", key: "k", region: "r", Tags: { Team: "A" }, secretKey: { secretId, key: "s" } },
  },
  env: { tf_Log: "TRACE", EMPTY: "" },
  logging: { level: "tRaCe" },
};
const bicep = {
  authentication: { registries: { "Reg.example": { basic: { username: "u", password: { secretId, key: "p" } } } } },
  registryAuthentications: { "up.example": { authenticationMethod: "BasicAuth", basicAuthSecretId: secretId } },
};

for (const [type, full] of [
  ["terraformSettings", terraform],
  ["bicepSettings", bicep],
] as const) {
  for (const [where, scope] of [
    ["a group", group],
    ["the plane", local],
  ] as const) {
    it(`${type} have GET, PUT, PATCH, DELETE and list in ${where}, and come back as they were sent`, async () => {
      const id = at(scope, type, "corp");

      const absent = await get(id);
      const created = await put(id, {});
      const replaced = await put(id, full);
      const shown = await get(id);
      const listed = await server.call("GET", `${scope}/providers/Radius.Core/${type}?${v}`);
      const patched = await server.call("PATCH", `${id}?${v}`, { body: { location: "global", properties: {} } });
      const deleted = await server.call("DELETE", `${id}?${v}`);
      const again = await server.call("DELETE", `${id}?${v}`);
      const empty = await server.call("GET", `${scope}/providers/Radius.Core/${type}?${v}`);

      assert.deepEqual(
        [absent, created, replaced, shown, listed, patched, deleted, again].map(({ status }) => status),
        [404, 200, 200, 200, 200, 200, 200, 204],
      );
      assert.deepEqual(propertiesOf(created), {});
      assert.equal(created.body["location"], "global");
      assert.equal(JSON.stringify(propertiesOf(shown)), JSON.stringify(full));
      assert.equal(shown.headers.get("etag"), replaced.headers.get("etag"));
      assert.equal((listed.body["value"] as JsonObject[]).length, 1);
      assert.deepEqual(empty.body, { value: [] });
    });
  }

  for (const [member, value] of Object.entries(full)) {
    it(`${type} keep ${member} alone`, async () => {
      const reply = await put(at(group, type, "alone"), { [member]: value });

      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(propertiesOf(reply), { [member]: value });
    });
  }
}

it("any Terraform settings come back as they were sent: empty objects, order and case", async () => {
  const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,8}$/);
  const patterns = fc.array(
    fc.tuple(word, word).map(([namespace, type]) => `${namespace}/${type}`),
    { maxLength: 4 },
  );
  const selection = fc.record({ include: patterns, exclude: patterns }, { requiredKeys: [] });
  const mirror = fc.tuple(word, selection).map(([host, some]) => ({ url: `https://${host}.example/p`, ...some }));
  const document = fc.record(
    {
      terraformrc: fc.record(
        {
          providerInstallation: fc.record({ networkMirror: mirror, direct: selection }, { requiredKeys: [] }),
          credentials: fc.dictionary(
            word.map((host) => `${host}.Example`),
            word.map((key) => ({ token: { secretId, key } })),
            { maxKeys: 3 },
          ),
        },
        { requiredKeys: [] },
      ),
      backend: fc.record({
        type: fc.constant("http"),
        config: fc.dictionary(
          word.map((name) => `x${name}`),
          word,
          { maxKeys: 3 },
        ),
      }),
      env: fc.dictionary(
        word.map((name) => `My_${name}`),
        fc.string(),
        { maxKeys: 4 },
      ),
      logging: fc.record({ level: fc.constantFrom("trace", "INFO", "Off") }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(document, async (sent) => {
      const id = at(group, "terraformSettings", "any");
      const properties = JSON.parse(JSON.stringify(sent)) as JsonObject;
      const reply = await put(id, properties);
      assert.equal(reply.status, 200, reply.text);
      assert.equal(JSON.stringify(propertiesOf(await get(id))), JSON.stringify(properties));
    }),
    { numRuns: 60 },
  );
});

it("the registry and the OpenAPI document have both types", async () => {
  const { body: openApi } = await server.call("GET", "/openapi.json");
  for (const type of ["terraformSettings", "bicepSettings"]) {
    const provider = `${local}/providers/System.Resources/resourceProviders/Radius.Core`;
    const registered = await server.call("GET", `${provider}/resourceTypes/${type}?${systemVersion}`);
    assert.equal(registered.status, 200, registered.text);
    const paths = Object.keys(objectMember(openApi, "paths")).filter((path) => path.includes(`/Radius.Core/${type}/`));
    assert.ok(paths.length > 0, `no path of ${type}`);
  }
});

it("settings with many problems are refused with all of them, and no value is stored or repeated", async () => {
  const id = at(group, "terraformSettings", "wrong");
  const reply = await put(id, {
    terraformrc: {
      providerInstallation: { networkMirror: { url: "canary-url", include: ["canary"] }, dirct: {} },
      credentials: { "https://a.example": { token: "canary-token" } },
    },
    backend: { type: "azurerm", config: { accessKey: "canary-key" } },
    env: { AWS_SECRET_ACCESS_KEY: "canary-env", N: 1, R: { secretId, key: "k" } },
    logging: { level: "canary" },
  });

  assert.deepEqual([reply.status, reply.code], [400, "HttpRequestPayloadAPISpecValidationFailed"]);
  const paths = messagesOf(reply).map((message) => message.replace(/ in body.*/s, "").replace("$.properties.", ""));
  assert.deepEqual(paths.toSorted(), [
    "backend.config.accessKey",
    "backend.config.containerName",
    "backend.config.key",
    "backend.config.storageAccountName",
    "env.AWS_SECRET_ACCESS_KEY",
    "env.N",
    "env.R",
    "logging.level",
    "terraformrc.credentials['https://a.example']",
    "terraformrc.credentials['https://a.example'].token",
    "terraformrc.providerInstallation.dirct",
    "terraformrc.providerInstallation.networkMirror.include[0]",
    "terraformrc.providerInstallation.networkMirror.url",
  ]);
  assert.match(reply.text, /env\.R in body must be a string\. Settings keep no secrets: pass it to the recipe/);
  assert.match(reply.text, /logging\.level in body must be one of TRACE, DEBUG, .* in any case/);
  assert.doesNotMatch(reply.text, /canary/);
  assert.equal((await get(id)).status, 404);
  assert.deepEqual(await findInFiles(server.directory, "canary"), []);
});

it("a provider that every method excludes is named in a warning, and the settings are stored", async () => {
  const reply = await put(at(group, "terraformSettings", "warned"), {
    terraformrc: {
      providerInstallation: {
        networkMirror: { url: "https://mirror.example", exclude: ["hashicorp/azurerm"] },
        direct: { exclude: ["hashicorp/azurerm"] },
      },
    },
  });

  assert.equal(reply.status, 200);
  assert.match(warningsOf(reply).join(), /'hashicorp\/azurerm'.*excludes it from networkMirror and direct/);
});

const settingsId = at(group, "terraformSettings", "used");
const wrongReferences: readonly (readonly [what: string, reference: JsonObject[string], message: RegExp])[] = [
  ["no id", "nonsense", /^Invalid terraformSettings resource ID: nonsense$/],
  ["a collection", `${group}/providers/Radius.Core/terraformSettings`, /^Invalid terraformSettings resource ID: /],
  [
    "an id of another type",
    at(group, "bicepSettings", "used"),
    /^Referenced terraformSettings resource ".*" has type "Radius.Core\/bicepSettings"; expected "Radius.Core\/terraformSettings"\.$/,
  ],
  [
    "what does not exist",
    at(group, "terraformSettings", "gone"),
    /^Referenced terraformSettings resource ".*" does not exist\.$/,
  ],
];
for (const [what, reference, message] of wrongReferences) {
  it(`an environment refuses terraformSettings that are ${what}`, async () => {
    const reply = await put(at(group, "environments", "wrong"), { terraformSettings: reference ?? null });

    assert.deepEqual([reply.status, reply.code], [400, "BadRequest"]);
    assert.match(String(objectMember(reply.body, "error")["message"]), message);
  });
}

it("an environment refuses settings inside of it, and knows no version of Terraform", async () => {
  const inline = await put(at(group, "environments", "inline"), { terraformSettings: { backend: { type: "s3" } } });
  const versioned = await put(at(group, "environments", "versioned"), { terraformVersion: "1.6.4" });

  assert.equal(inline.status, 400);
  assert.match(inline.text, /\$\.properties\.terraformSettings in body must be a string/);
  assert.match(warningsOf(versioned).join(), /no such members.*terraformVersion/);
});

it("an environment takes its namespace from compute or from providers.kubernetes, and returns what was sent", async () => {
  const compute = { kind: "kubernetes", namespace: "prod-apps" };
  const providers = { kubernetes: { namespace: "prod-apps" } };

  const first = await put(at(group, "environments", "compute"), { compute });
  const second = await put(at(group, "environments", "provided"), { providers });
  const both = await put(at(group, "environments", "both"), { compute, providers });
  const different = await put(at(group, "environments", "different"), {
    compute,
    providers: { kubernetes: { namespace: "other" } },
  });

  assert.deepEqual([first.status, second.status, both.status, different.status], [200, 200, 200, 400]);
  assert.deepEqual(propertiesOf(first), { compute, simulated: false });
  assert.deepEqual(propertiesOf(second), { providers, simulated: false });
  assert.match(different.text, /'compute' says 'prod-apps' and 'providers.kubernetes' says 'other'/);
});

it("an environment of Radius.Core keeps recipeConfig, and warns that it is ignored", async () => {
  const recipeConfig = { terraform: { providers: { aws: [] } }, env: { A: "1" }, bicep: { authentication: {} } };

  const reply = await put(at(group, "environments", "old"), { recipeConfig });
  const empty = await put(at(group, "environments", "older"), { recipeConfig: {} });

  assert.deepEqual(propertiesOf(reply)["recipeConfig"], recipeConfig);
  assert.deepEqual(warningsOf(reply), [
    "properties.recipeConfig.terraform.providers is ignored. Use 'terraformSettings' of the environment.",
    "properties.recipeConfig.env is ignored. Use 'terraformSettings' of the environment.",
    "properties.recipeConfig.bicep.authentication is ignored. Use 'bicepSettings' of the environment.",
  ]);
  assert.equal(warningsOf(empty).length, 1);
});

it("an environment of Applications.Core warns about what its settings replace, and only that", async () => {
  await put(settingsId, {});
  const body = (more: JsonObject): object => ({
    location: "global",
    properties: {
      compute: { kind: "kubernetes", namespace: "legacy" },
      recipeConfig: { env: { A: "1" }, bicep: { authentication: { "a.example": { secret: "x" } } } },
      ...more,
    },
  });
  const path = `${group}/providers/Applications.Core/environments/legacy?${systemVersion}`;

  const without = await server.call("PUT", path, { body: body({}) });
  const settings = await server.call("PUT", path, { body: body({ terraformSettings: settingsId }) });
  const read = await server.call("GET", path);
  const cleaned = await server.call("PUT", path, { body: body({ recipeConfig: {}, terraformSettings: settingsId }) });

  assert.deepEqual(warningsOf(without), [
    "properties.recipeConfig is deprecated; the environment uses recipeConfig.env, recipeConfig.bicep.authentication. " +
      "Run 'rad terraform migrate' to move it to settings.",
  ]);
  const expected = [
    "properties.recipeConfig.env is ignored. Use 'terraformSettings' of the environment.",
    "properties.recipeConfig is deprecated; the environment uses recipeConfig.bicep.authentication. " +
      "Run 'rad terraform migrate' to move it to settings.",
  ];
  assert.deepEqual(warningsOf(settings), expected);
  assert.deepEqual(warningsOf(read), expected, "for as long as the fields are there");
  assert.deepEqual(warningsOf(cleaned), []);
});

it("each warning has a Warning header of its own (S000-193)", async () => {
  const id = at(group, "environments", "headers");
  const recipeConfig = { env: { A: "1" }, envSecrets: {} };

  const answer = Promise.withResolvers<IncomingMessage>();
  const sent = httpRequest(`${server.url}${id}?${v}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
  });
  sent
    .on("response", answer.resolve)
    .on("error", answer.reject)
    .end(JSON.stringify({ properties: { recipeConfig } }));
  const { headersDistinct } = (await answer.promise).resume();

  assert.deepEqual(headersDistinct["warning"], [
    `299 - "properties.recipeConfig.env is ignored. Use 'terraformSettings' of the environment."`,
    `299 - "properties.recipeConfig.envSecrets is ignored. Use 'terraformSettings' of the environment."`,
  ]);
});

it("an environment names the secrets and keys that its settings miss, and is stored", async () => {
  const secrets = `${group}/providers/Radius.Security/secrets/present`;
  const stored = await server.call("PUT", `${secrets}?${v}`, {
    body: { properties: { environment: at(group, "environments", "any"), data: { there: { value: "x" } } } },
  });
  await server.settle(stored);
  const tf = at(group, "terraformSettings", "needy");
  await put(tf, {
    terraformrc: {
      credentials: {
        "a.example": { token: { secretId: secrets, key: "there" } },
        "b.example": { token: { secretId: secrets, key: "absent" } },
        "c.example": { secret: `${local}/providers/Radius.Security/secrets/missing` },
      },
    },
  });

  const reply = await put(at(group, "environments", "needy"), {
    terraformSettings: tf.toUpperCase().replace("/PLANES", "/planes"),
  });

  assert.equal(reply.status, 200, reply.text);
  assert.deepEqual(
    warningsOf(reply).map((warning) => warning.replace(/\. Recipes.*/, "")),
    [
      `The secret '${secrets}' has no key 'absent'`,
      `The secret '${local}/providers/Radius.Security/secrets/missing' does not exist; its key 'token' is needed`,
    ],
  );
});

it("an environment stores recipe packs as ids, and refuses missing ones and types that two of them have", async () => {
  const pack = (name: string, ...types: string[]): Promise<Reply> =>
    put(at(group, "recipePacks", name), {
      recipes: Object.fromEntries(types.map((type) => [type, { kind: "terraform", source: "a/b/c" }])),
    });
  await pack("one", "Radius.Data/redisCaches");
  await pack("two", "Radius.Data/mySqlDatabases");
  await pack("three", "radius.data/REDISCACHES");
  const environment = at(group, "environments", "packs");

  const stored = await put(environment, { recipePacks: ["one", at(group, "recipePacks", "two"), "one"] });
  const missing = await put(environment, { recipePacks: ["gone"] });
  const other = await put(environment, { recipePacks: [settingsId] });
  const twice = await put(environment, { recipePacks: ["one", "three"] });

  assert.deepEqual(propertiesOf(stored)["recipePacks"], [
    at(group, "recipePacks", "one"),
    at(group, "recipePacks", "two"),
  ]);
  assert.deepEqual([missing.status, other.status, twice.status], [400, 400, 409]);
  assert.match(missing.text, /Referenced recipePacks resource \\".*gone\\" does not exist/);
  assert.match(
    twice.text,
    /Resource type 'radius.data\/REDISCACHES' is defined in multiple recipe packs: \S*one and \S*three/,
  );
});

const badRecipes: readonly (readonly [what: string, type: string, path: string])[] = [
  ["a type without a namespace", "redisCaches", "a/b/c"],
  ["a type with two slashes", "A.B/c/d", "a/b/c"],
  ["a local module", "A.B/c", "./module"],
  ["a module above", "A.B/c", "../module"],
  ["an absolute path", "A.B/c", "/etc/module"],
];
for (const [what, type, source] of badRecipes) {
  it(`recipe packs and environments refuse ${what}`, async () => {
    const pack = await put(at(group, "recipePacks", "bad"), { recipes: { [type]: { kind: "terraform", source } } });
    const recipes = { [type]: { default: { templateKind: "terraform", templatePath: source } } };
    const environment = await server.call(
      "PUT",
      `${group}/providers/Applications.Core/environments/bad?${systemVersion}`,
      {
        body: { location: "global", properties: { compute: { kind: "kubernetes", namespace: "bad" }, recipes } },
      },
    );

    for (const reply of [pack, environment]) {
      assert.deepEqual([reply.status, reply.code], [400, "BadRequest"], reply.text);
    }
  });
}
