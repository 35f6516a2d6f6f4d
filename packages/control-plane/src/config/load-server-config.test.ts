import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { it } from "node:test";
import { ConfigError } from "./config-error.ts";
import { loadServerConfig } from "./load-server-config.ts";
import type { LoadOptions } from "./load-server-config.ts";

const sha = "ab".repeat(32);

function load(text: string, options: Partial<LoadOptions> = {}) {
  return loadServerConfig({ file: "radius.yaml", text, env: {}, ...options });
}

function problemsOf(text: string, options: Partial<LoadOptions> = {}): readonly string[] {
  try {
    load(text, options);
  } catch (error) {
    assert(error instanceof ConfigError);
    assert.equal(error.code, "InvalidConfiguration");
    return error.problems;
  }
  return [];
}

it("an empty file gives the defaults", () => {
  const config = load("");

  assert.deepEqual(config, {
    environment: { name: "dev", roleLocation: "global" },
    server: {
      host: "127.0.0.1",
      port: 9000,
      pathBase: "",
      tlsCertificateDirectory: undefined,
      loopbackTls: { enabled: true, port: undefined },
      limits: {
        maxBodyBytes: 8388608,
        maxDepth: 400,
        maxValues: 500_000,
        maxHeaderBytes: 16384,
        requestTimeoutSeconds: 60,
        maxEventStreams: 5000,
      },
    },
    workerServer: { maxOperationConcurrency: 10, maxOperationRetryCount: 3 },
    databaseProvider: {
      provider: "sqlite",
      sqlite: { directory: undefined },
      postgresql: { url: undefined, preparedStatements: true, listenUrl: undefined },
    },
    encryption: { keyFile: undefined },
    operations: { retentionDays: 7, leaseSeconds: 15, maxProcessDeaths: 5, drainSeconds: 20 },
    deployments: {
      maxConcurrentDeployments: 10,
      concurrency: 200,
      historyPerGroup: 800,
      linkHosts: [],
      limits: {
        maxResources: 10_000,
        maxCopies: 10_000,
        maxParameters: 256,
        maxVariables: 512,
        maxOutputs: 64,
        maxNesting: 50,
        maxTemplateCharacters: 4_194_304,
        maxResourceCharacters: 1_048_576,
        maxSteps: 10_000_000,
        maxExpressionCharacters: 24_576,
        maxExpressionDepth: 400,
      },
    },
    kubernetes: {
      kubeConfig: undefined,
      context: undefined,
      inCluster: false,
      manifests: undefined,
      publicEndpoint: undefined,
    },
    terraform: {
      installer: {
        root: undefined,
        defaultSourceUrl: undefined,
        indexUrl: undefined,
        keys: undefined,
        opentofu: { defaultSourceUrl: undefined, indexUrl: undefined, keys: undefined },
        caBundle: undefined,
        drainSeconds: 30,
        timeoutMinutes: 30,
        maxArchiveBytes: 536_870_912,
        maxBinaryBytes: 1_073_741_824,
        idleSeconds: 60,
        pullFrom: undefined,
      },
      requireSettings: true,
      logLevel: "ERROR",
      runs: { root: undefined, maxConcurrent: 20, graceSeconds: 60, timeoutMinutes: 60 },
    },
    audit: { retentionDays: 365 },
    metricsProvider: {
      enabled: true,
      serviceName: "radius",
      prometheus: { path: "/metrics", port: undefined, anonymous: false },
    },
    tracerProvider: { enabled: true, serviceName: "radius", otlp: { endpoint: undefined } },
    logging: { level: "info", json: undefined },
    initialization: { planes: [], manifestDirectory: undefined },
    authentication: { bootstrapTokenFile: undefined, tokens: [], oidc: [], frontProxy: undefined },
    authorization: { roles: [], assignments: [] },
  });
});

it("a section whose lines are all commented out counts as absent", () => {
  assert.deepEqual(load("server:\n  # port: 1\nauthentication:\n  tokens:\n"), load(""));
});

it("a complete file is read as written", () => {
  const config = load(
    `
server: { host: 0.0.0.0, port: 8443, pathBase: /apis/api.ucp.dev/v1alpha3, tlsCertificateDirectory: tls }
databaseProvider:
  provider: postgresql
  postgresql: { url: "postgresql://radius:\${PGPASS}@db/radius" }
encryption: { keyFile: /etc/radius/keys }
logging: { level: DEBUG }
initialization:
  planes:
    - id: /planes/radius/local
      properties: { resourceProviders: { Applications.Core: "http://x" }, kind: UCPNative }
authentication:
  tokens: [{ name: ci, sha256: ${sha} }]
  oidc:
    - { issuer: "https://login.example.com/", audience: radius, algorithms: [ES256] }
    - { issuer: "http://127.0.0.1:99", audience: [a, b], prefix: "lab:", usernameClaim: email }
  frontProxy: { caFile: ca.crt, allowedNames: [front-proxy-client] }
authorization:
  roles: [{ name: deployer, permissions: ["Applications.Core/*", "*/read"] }]
  assignments:
    - { role: deployer, subject: token:ci, scope: /planes/radius/local/resourceGroups/dev }
    - { role: radius-reader, group: "lab:people", scope: / }
    - { role: radius-admin, group: "proxy:system:masters", scope: / }
`,
    { env: { PGPASS: "s3cret" }, file: "/etc/radius/radius.yaml" },
  );

  assert.equal(config.server.tlsCertificateDirectory, "/etc/radius/tls");
  assert.equal(config.databaseProvider.postgresql.url, "postgresql://radius:s3cret@db/radius");
  assert.equal(config.logging.level, "debug");
  assert.deepEqual(config.initialization.planes[0]?.properties, {
    resourceProviders: { "Applications.Core": "http://x" },
    kind: "UCPNative",
  });
  assert.deepEqual(
    config.authentication.oidc.map(({ audience, prefix, usernameClaim, algorithms }) => ({
      audience,
      prefix,
      usernameClaim,
      algorithms,
    })),
    [
      { audience: ["radius"], prefix: "oidc:", usernameClaim: "sub", algorithms: ["ES256"] },
      { audience: ["a", "b"], prefix: "lab:", usernameClaim: "email", algorithms: [] },
    ],
  );
  assert.equal(config.authentication.frontProxy?.caFile, "/etc/radius/ca.crt");
  assert.equal(config.authorization.assignments.length, 3);
});

it("all problems are reported together, each with line, column and key", () => {
  const problems = problemsOf(`server:
  prot: 1
  port: "9000"
  port: 70000
logging:
  level: loud
workerServer: 7
`);

  assert.deepEqual(problems, [
    "radius.yaml:4:3: this key appears twice",
    'radius.yaml:2:3: server: the key "prot" is unknown; did you mean "port"?',
    "radius.yaml:3:9: server.port: must be a whole number from 0 to 65535",
    "radius.yaml:7:15: workerServer: must be a section with keys of its own",
    "radius.yaml:6:10: logging.level: must be one of debug, info, warn, error",
  ]);
});

const refused: readonly (readonly [why: string, text: string, expected: RegExp])[] = [
  ["a key of no resemblance", "zzzzzzzz: 1", /1:1: the key "zzzzzzzz" is unknown$/],
  [
    "an upstream section without meaning",
    "queueProvider: { provider: apiserver }",
    /no meaning here and can be removed/,
  ],
  ["an upstream key without meaning", "tracerProvider: { zipkin: { url: x } }", /"zipkin" has no meaning here.*otlp/],
  ["identity.authMethod", "identity: { authMethod: default }", /"identity" has no meaning here/],
  ["kubernetes.kind", "kubernetes: { kind: none }", /"kind" has no meaning here.*kubeConfig/],
  ["two clusters", "kubernetes: { kubeConfig: a, inCluster: true }", /inCluster: has no meaning with .*kubeConfig/],
  [
    "a cluster and a folder",
    "kubernetes: { inCluster: true, manifests: m }",
    /manifests: has no meaning with a cluster/,
  ],
  ["a context of no file", "kubernetes: { context: dev }", /context: needs kubernetes.kubeConfig/],
  [
    "a public endpoint with a scheme",
    "kubernetes: { publicEndpoint: 'http://localhost' }",
    /publicEndpoint: must be a host/,
  ],
  ["an upstream database", "databaseProvider: { provider: apiserver }", /must be one of sqlite, postgresql/],
  ["broken syntax", "server: {", /radius.yaml:1:\d+: not valid YAML/],
  ["two documents", "server: {}\n---\nserver: {}", /not valid YAML/],
  ["a list at the top", "- 1", /must be a section/],
  [
    "a public address without TLS",
    "server: { host: 0.0.0.0 }",
    /server.host: is not a loopback address.*tlsCertificateDirectory/,
  ],
  ["a path base without slash", "server: { pathBase: apis }", /server.pathBase: must be empty or look like/],
  [
    "postgresql without a url",
    "databaseProvider: { provider: postgresql }\nencryption: { keyFile: k }",
    /url: is required/,
  ],
  [
    "postgresql without a key",
    "databaseProvider: { provider: postgresql, postgresql: { url: 'postgres://h/d' } }\nauthentication: { bootstrapTokenFile: t }",
    /encryption.keyFile: is required/,
  ],
  [
    "postgresql that nobody could call",
    "databaseProvider: { provider: postgresql, postgresql: { url: 'postgres://h/d' } }\nencryption: { keyFile: k }",
    /authentication: lets nobody call this server: .*bootstrapTokenFile/,
  ],
  [
    "open metrics on the API's port",
    "metricsProvider: { prometheus: { anonymous: true } }",
    /^radius.yaml:1:\d+: metricsProvider.prometheus.anonymous: needs a port of its own/,
  ],
  [
    "upstream's settings of Bicep",
    "bicep: { deleteRetryCount: 20 }",
    /"bicep" has no meaning here .*Radius.Core\/bicepSettings/,
  ],
  [
    "a mirror without TLS",
    "terraform: { installer: { defaultSourceUrl: 'http://mirror' } }",
    /defaultSourceUrl: must be an https URL/,
  ],
  [
    "upstream's settings of Terraform",
    "terraform: { path: /terraform }",
    /"path" has no meaning here .*terraform\.installer\.root/,
  ],
  [
    "a bootstrap token for sqlite",
    "authentication: { bootstrapTokenFile: t }",
    /^radius.yaml:1:\d+: authentication.bootstrapTokenFile: has no meaning with sqlite/,
  ],
  [
    "a port for TLS on loopback beside a certificate",
    "server: { tlsCertificateDirectory: c, loopbackTls: { port: 9443 } }",
    /^radius.yaml:1:\d+: server.loopbackTls.port: has no meaning with server.tlsCertificateDirectory/,
  ],
  [
    "a pooler, and nowhere to listen",
    "databaseProvider: { postgresql: { url: 'postgres://h/d', preparedStatements: false } }",
    /databaseProvider.postgresql.listenUrl: is required without prepared statements/,
  ],
  [
    "a url of another database",
    "databaseProvider: { postgresql: { url: 'mysql://h' } }",
    /must be a URL that starts with postgresql:/,
  ],
  [
    "a plain-text token in place of its hash",
    "authentication: { tokens: [{ name: a, sha256: rad_abc }] }",
    /not the token itself/,
  ],
  ["a token without name", `authentication: { tokens: [{ sha256: ${sha} }] }`, /tokens\[0\].name: is required/],
  [
    "two tokens of one name",
    `authentication: { tokens: [{ name: a, sha256: ${sha} }, { name: a, sha256: ${"cd".repeat(32)} }] }`,
    /tokens\[1\].name: is the same/,
  ],
  [
    "an issuer over plain http",
    "authentication: { oidc: [{ issuer: 'http://example.com', audience: a }] }",
    /must be an https URL/,
  ],
  [
    "a symmetric algorithm",
    "authentication: { oidc: [{ issuer: 'https://x', audience: a, algorithms: [HS256] }] }",
    /algorithms\[0\]: must be one of RS256/,
  ],
  [
    "the algorithm none",
    "authentication: { oidc: [{ issuer: 'https://x', audience: a, algorithms: [none] }] }",
    /algorithms\[0\]: must be one of RS256/,
  ],
  ["an issuer without audience", "authentication: { oidc: [{ issuer: 'https://x' }] }", /audience: is required/],
  [
    "two issuers with one prefix",
    "authentication: { oidc: [{ issuer: 'https://x', audience: a }, { issuer: 'https://y', audience: a }] }",
    /oidc\[1\].prefix: is the same/,
  ],
  [
    "an issuer that takes the tokens' prefix",
    "authentication: { oidc: [{ issuer: 'https://x', audience: a, prefix: 'token:' }] }",
    /prefix: is taken/,
  ],
  [
    "a front proxy without TLS",
    "authentication: { frontProxy: { caFile: ca.crt } }",
    /frontProxy: needs server.tlsCertificateDirectory/,
  ],
  [
    "an unknown role",
    "authorization: { assignments: [{ role: boss, subject: local-admin, scope: / }] }",
    /role: is not a role/,
  ],
  [
    "a redefined built-in role",
    "authorization: { roles: [{ name: Radius-Admin, permissions: [] }] }",
    /is the name of a built-in role/,
  ],
  [
    "a permission that matches nothing",
    "authorization: { roles: [{ name: r, permissions: [Applications.Core/containers] }] }",
    /permissions\[0\]: must end in/,
  ],
  [
    "a subject that no source can produce",
    "authorization: { assignments: [{ role: radius-admin, subject: alice, scope: / }] }",
    /matches no caller; there are local-admin/,
  ],
  [
    "a group when nothing has groups",
    "authorization: { assignments: [{ role: radius-admin, group: dev, scope: / }] }",
    /nothing here has groups/,
  ],
  [
    "an assignment to nobody",
    "authorization: { assignments: [{ role: radius-admin, scope: / }] }",
    /either a subject or a group/,
  ],
  [
    "an assignment at no scope",
    "authorization: { assignments: [{ role: radius-admin, subject: local-admin, scope: planes }] }",
    /scope: must be an id/,
  ],
  [
    "a plane that is none",
    "initialization: { planes: [{ id: /planes/radius/local/resourceGroups/x }] }",
    /must be the id of a plane/,
  ],
  [
    "an alias bomb",
    `initialization:\n  planes:\n    - id: /planes/radius/local\n      properties:\n        a: &a [1,1,1,1,1,1,1,1,1,1]\n        b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n        c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n        d: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]`,
    /aliases/,
  ],
];

for (const [why, text, expected] of refused) {
  it(`refuses ${why}`, () => {
    const problems = problemsOf(text);

    assert.equal(problems.length, 1, problems.join("\n"));
    assert.match(problems[0] ?? "", expected);
  });
}

it("a missing environment variable is named, and neither the url nor a variable's value is shown", () => {
  const text = "databaseProvider: { postgresql: { url: 'postgresql://canary-user:${NOPE}@${HOST}/d' } }";

  const problems = problemsOf(text, { env: { HOST: "canary-host" } });

  assert.equal(problems.length, 1);
  assert.match(problems[0] ?? "", /postgresql.url: the environment variable NOPE is not set/);
  assert.doesNotMatch(problems.join(), /canary/);
});

it("a wrong url is not shown either", () => {
  const problems = problemsOf("databaseProvider: { postgresql: { url: '${U}' } }", { env: { U: "canary" } });

  assert.equal(problems.length, 1);
  assert.doesNotMatch(problems.join(), /canary/);
});

it("logging variables win over the file, and are named when they are wrong", () => {
  const text = "logging: { level: warn, json: true }";

  const config = load(text, { env: { RADIUS_LOGGING_LEVEL: "debug", RADIUS_LOGGING_JSON: "False" } });

  assert.deepEqual(config.logging, { level: "debug", json: false });
  assert.deepEqual(problemsOf(text, { env: { RADIUS_LOGGING_JSON: "maybe" } }), [
    "RADIUS_LOGGING_JSON: logging.json: must be true or false",
  ]);
});

it("the collector's address comes from the environment unless the file has one", () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://env:4318" };

  assert.equal(load("", { env }).tracerProvider.otlp.endpoint, "http://env:4318");
  assert.equal(load("tracerProvider:\n", { env }).tracerProvider.otlp.endpoint, "http://env:4318");
  const inFile = "tracerProvider: { otlp: { endpoint: 'http://file:4318' } }";
  assert.equal(load(inFile, { env }).tracerProvider.otlp.endpoint, "http://file:4318");
});

it("the environment names a cluster unless the file names a place for objects", () => {
  const env = { RADIUS_TARGET_KUBECONFIG: "target", RADIUS_PUBLIC_ENDPOINT_OVERRIDE: "localhost:8080" };

  const named = load("kubernetes: { publicEndpoint: example.com }", { env }).kubernetes;

  assert.deepEqual([named.kubeConfig, named.publicEndpoint], [resolve("target"), "localhost:8080"]);
  for (const text of ["inCluster: true", "manifests: m", "kubeConfig: other"]) {
    assert.notEqual(load(`kubernetes: { ${text} }`, { env }).kubernetes.kubeConfig, resolve("target"), text);
  }
});

it("overrides win over everything and are checked like the rest", () => {
  const env = { RADIUS_LOGGING_LEVEL: "debug" };
  const overrides = {
    server: { port: 0 },
    logging: { level: "error" },
    databaseProvider: { sqlite: { directory: "d" } },
  } as const;

  const config = load("server: { port: 1, host: localhost }", { env, overrides });

  assert.deepEqual([config.server.port, config.server.host, config.logging.level], [0, "localhost", "error"]);
  assert.equal(config.databaseProvider.sqlite.directory, resolve("d"));
  assert.deepEqual(problemsOf("", { overrides: { server: { port: 70_000 } } }), [
    "command line: server.port: must be a whole number from 0 to 65535",
  ]);
});

it("a file is read from disk, and one that cannot be read is named", async () => {
  const directory = await mkdtemp(join(tmpdir(), "rad-config-"));
  try {
    const file = join(directory, "radius.yaml");
    await writeFile(file, "server: { port: 1234 }\ndatabaseProvider: { sqlite: { directory: data } }");

    const config = loadServerConfig({ file, env: {} });

    assert.equal(config.server.port, 1234);
    assert.equal(config.databaseProvider.sqlite.directory, join(directory, "data"));
    assert.throws(() => loadServerConfig({ file: join(directory, "none.yaml"), env: {} }), {
      code: "InvalidConfiguration",
      message: /none\.yaml: does not exist/,
    });
  } finally {
    await rm(directory, { recursive: true });
  }
});

it("a wrong value stops the start also where a flag or the environment has another", () => {
  const text = "server: { port: abc }\nlogging: { level: shouting }";

  const problems = problemsOf(text, { overrides: { server: { port: 0 } }, env: { RADIUS_LOGGING_LEVEL: "info" } });

  assert.deepEqual(problems, [
    "radius.yaml:1:17: server.port: must be a whole number from 0 to 65535",
    "radius.yaml:2:19: logging.level: must be one of debug, info, warn, error",
  ]);
});

it("what a flag completes is no problem of the file", () => {
  assert.deepEqual(problemsOf("server:", { overrides: { server: { port: 0 } } }), []);
});
