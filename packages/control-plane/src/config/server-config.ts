import { defaultLimits } from "@rad/templates/limits";
import { asymmetricAlgorithms } from "../identity-rules/algorithms.ts";
import { checkPermissionPattern } from "../identity-rules/permission-pattern.ts";
import {
  checkHttpsUrl,
  checkHttpUrl,
  checkIssuer,
  checkLinkHost,
  checkName,
  checkPathBase,
  checkPlaneId,
  checkPostgresUrl,
  checkPrefix,
  checkPublicEndpoint,
  checkScope,
  checkSha256,
  checkUrlPath,
} from "./checks.ts";
import {
  choice,
  flag,
  integer,
  number,
  list,
  oneOrMore,
  optional,
  path,
  record,
  section,
  text,
  textWithVariables,
} from "./field.ts";
import type { ValueOf } from "./field.ts";
import {
  checkAssignment,
  checkAuthentication,
  checkDatabase,
  checkKubernetes,
  checkListener,
  checkPrometheus,
  checkRoles,
  checkTogether,
} from "./rules.ts";

/**
 * Every key of the server's configuration file: its type, default, meaning and checks. The type `ServerConfig`, the
 * reader and the reference page all come from this table.
 */

const environment = section("What this installation calls itself.", {
  name: text("A label for this installation. Upstream's files have it; it has no effect here.", { default: "dev" }),
  roleLocation: text("The location that every resource reports.", { default: "global" }),
});

const limits = section("Requests beyond these are refused.", {
  maxBodyBytes: integer("Maximum size of a request body.", { default: 8_388_608, min: 1024, max: 1_073_741_824 }),
  maxDepth: integer("Maximum nesting depth of a JSON body.", { default: 400, min: 4, max: 1000 }),
  maxValues: integer("Maximum number of values (texts, numbers, lists and objects) in a JSON body.", {
    default: 500_000,
    min: 1_000,
    max: 10_000_000,
  }),
  maxHeaderBytes: integer("Maximum size of all request headers together.", {
    default: 16_384,
    min: 1024,
    max: 1_048_576,
  }),
  requestTimeoutSeconds: integer("Maximum time for a request; for a stream, the maximum time between two chunks.", {
    default: 60,
    min: 1,
    max: 3600,
  }),
  maxEventStreams: integer("Maximum number of clients that follow operations by events at once; 0 turns events off.", {
    default: 5_000,
    min: 0,
    max: 1_000_000,
  }),
});

const server = section(
  "Where the API listens.",
  {
    host: text("Address to listen on. Anything but loopback needs TLS.", { default: "127.0.0.1" }),
    port: integer("Port to listen on; 0 takes a free one.", { default: 9000, min: 0, max: 65_535 }),
    pathBase: text("An additional path prefix for the API.", {
      default: "",
      mayBeEmpty: true,
      check: checkPathBase,
    }),
    tlsCertificateDirectory: optional(
      path(
        "Folder with tls.crt and tls.key. Without it the API is served over plain HTTP, and with TLS as loopbackTls says.",
      ),
    ),
    loopbackTls: section(
      "A second listener on loopback, with a certificate of the server's own, for clients that send tokens over TLS only.",
      {
        enabled: flag("Whether there is one. A server with tlsCertificateDirectory has none.", true),
        port: optional(
          integer(
            "Its port; 0 takes a free one. Without it the API's port + 443, or a free one, with a warning, where that is taken.",
            { min: 0, max: 65_535 },
          ),
        ),
      },
    ),
    limits,
  },
  {
    rule: checkListener,
    retired: {
      enableArmAuth: "callers are authenticated as the section authentication says.",
      armMetadataEndpoint: "callers are authenticated as the section authentication says.",
      authType: "callers are authenticated as the section authentication says.",
    },
  },
);

const workerServer = section(
  "How asynchronous operations run.",
  {
    maxOperationConcurrency: integer("Operations that this process runs at once.", {
      default: 10,
      min: 1,
      max: 1000,
    }),
    maxOperationRetryCount: integer(
      "Retries after an unexpected or transient failure. Other errors end the operation at once.",
      { default: 3, min: 0, max: 100 },
    ),
  },
  { retired: { port: "health is served at /healthz on the API's own port." } },
);

const databaseProvider = section(
  "Where everything is stored.",
  {
    provider: choice("Which database.", ["sqlite", "postgresql"], "sqlite"),
    sqlite: section("The embedded database.", {
      directory: optional(path("Folder of the database file, its key and the local token.")),
    }),
    postgresql: section("A PostgreSQL server.", {
      url: optional(textWithVariables("Connection URL.", { check: checkPostgresUrl })),
      preparedStatements: flag(
        "Whether statements are prepared once per connection. Turn it off where `url` leads to a pooler " +
          "in transaction mode.",
        true,
      ),
      listenUrl: optional(
        textWithVariables(
          "Connection URL for change notifications, if `url` leads to a pooler: that of PostgreSQL itself.",
          {
            check: checkPostgresUrl,
          },
        ),
      ),
    }),
  },
  {
    rule: checkDatabase,
    retired: {
      apiserver: "the databases are sqlite and postgresql.",
      inmemory: "the databases are sqlite and postgresql.",
    },
  },
);

const encryption = section("How secret values are sealed at rest.", {
  keyFile: optional(
    path(
      "File with the sealing keys: the current one on the first line, earlier ones below it. Required with " +
        "postgresql; created beside a new SQLite database.",
    ),
  ),
});

const operations = section("The life of an asynchronous operation.", {
  retentionDays: number("How long finished operations can be looked up.", { default: 7, min: 0.001, max: 3650 }),
  leaseSeconds: integer("A worker that does not renew its lease for this long loses its operation.", {
    default: 15,
    min: 2,
    max: 3600,
  }),
  maxProcessDeaths: integer(
    "An operation fails after the process has died this many times in a row while running it, without progress.",
    { default: 5, min: 1, max: 1000 },
  ),
  drainSeconds: integer("How long a stopping server waits for requests, and then for operations, to finish.", {
    default: 20,
    min: 0,
    max: 3600,
  }),
});

const deploymentLimits = section("Templates beyond these are refused.", {
  maxResources: integer("Resources of one template with its loops expanded, not counting those of modules.", {
    default: defaultLimits.resources,
    min: 1,
    max: 1_000_000,
  }),
  maxCopies: integer("Iterations of one loop.", { default: defaultLimits.copies, min: 1, max: 1_000_000 }),
  maxParameters: integer("Parameters of one template.", { default: defaultLimits.parameters, min: 1, max: 100_000 }),
  maxVariables: integer("Variables of one template.", { default: defaultLimits.variables, min: 1, max: 100_000 }),
  maxOutputs: integer("Outputs of one template.", { default: defaultLimits.outputs, min: 1, max: 100_000 }),
  maxNesting: integer("Nesting depth of modules.", { default: defaultLimits.nesting, min: 1, max: 100 }),
  maxTemplateCharacters: integer("Length of a template as JSON.", {
    default: defaultLimits.templateLength,
    min: 1024,
    max: 1_073_741_824,
  }),
  maxResourceCharacters: integer("Length of one resource as JSON, evaluated.", {
    default: defaultLimits.resourceLength,
    min: 1024,
    max: 1_073_741_824,
  }),
  maxSteps: integer("Steps that a deployment may take to evaluate, with everything nested in it.", {
    default: defaultLimits.steps,
    min: 10_000,
    max: 1_000_000_000,
  }),
  maxExpressionCharacters: integer("Length of one expression.", {
    default: defaultLimits.expressionLength,
    min: 256,
    max: 4_194_304,
  }),
  maxExpressionDepth: integer("Nesting depth of one expression.", {
    default: defaultLimits.expressionDepth,
    min: 10,
    max: defaultLimits.expressionDepth,
  }),
});

const deployments = section("How templates are deployed.", {
  maxConcurrentDeployments: integer("Deployments that this process runs at once.", {
    default: 10,
    min: 1,
    max: 1000,
  }),
  concurrency: integer("Resources of one deployment that are deployed at once, including those of its modules.", {
    default: 200, // most of them wait for something to become ready, and hold no slot of a worker
    min: 1,
    max: 1000,
  }),
  historyPerGroup: integer("Finished deployments kept per resource group.", {
    default: 800,
    min: 1,
    max: 100_000,
  }),
  linkHosts: list(
    text("A host that templateLink and parametersLink may name. Nothing is fetched unless it is listed here.", {
      check: checkLinkHost,
    }),
  ),
  limits: deploymentLimits,
});

const kubernetes = section(
  "Where Kubernetes objects go. A cluster is used only if this section names one.",
  {
    kubeConfig: optional(
      path("Kube config of the cluster. Falls back to RADIUS_TARGET_KUBECONFIG; without any cluster, see manifests."),
    ),
    context: optional(text("Context of the kube config; its current one if absent.")),
    inCluster: flag("Whether to use the cluster that the server runs in, with its service account.", false),
    manifests: optional(
      path(
        "Folder for objects as YAML files, in place of a cluster. Without a cluster the default is manifests in the " +
          "server's data folder.",
      ),
    ),
    publicEndpoint: optional(
      text(
        "Host, or host:port, at which gateways are reached. RADIUS_PUBLIC_ENDPOINT_OVERRIDE overrides it; without " +
          "either, the load balancer of the Service contour-envoy in radius-system.",
        { check: checkPublicEndpoint },
      ),
    ),
  },
  {
    rule: checkKubernetes,
    retired: { kind: "name a cluster with kubeConfig or inCluster." },
  },
);

const releaseSource = {
  defaultSourceUrl: optional(
    textWithVariables(
      "Base URL of releases in the layout of the publisher: a mirror. Without it the publisher's own place.",
      { check: checkHttpsUrl },
    ),
  ),
  indexUrl: optional(
    textWithVariables("URL of the release index, which says what the newest version is.", { check: checkHttpsUrl }),
  ),
  keys: optional(
    list(
      path(
        "File with OpenPGP keys that releases may be signed with, or a folder of such files. Without it the folder " +
          "keys/terraform or keys/opentofu below root.",
      ),
    ),
  ),
};

const terraform = section(
  "Terraform, which recipes run.",
  {
    installer: section("How Terraform and OpenTofu are installed.", {
      root: optional(
        path("Folder of the binaries, shared by all processes. Without it terraform in the server's data folder."),
      ),
      ...releaseSource,
      opentofu: section("The same for OpenTofu.", releaseSource),
      caBundle: optional(
        path("File with certificates of authorities, in PEM form, that downloads trust besides the system's."),
      ),
      drainSeconds: integer("How long an uninstall waits for executions that have just begun.", {
        default: 30,
        min: 0,
        max: 3600,
      }),
      timeoutMinutes: number("How long an install may take, counted from its turn.", {
        default: 30,
        min: 0.01,
        max: 1440,
      }),
      maxArchiveBytes: integer("Maximum size of an archive.", {
        default: 536_870_912,
        min: 1024,
        max: 17_179_869_184,
      }),
      maxBinaryBytes: integer("Maximum size of a binary, unpacked.", {
        default: 1_073_741_824,
        min: 1024,
        max: 17_179_869_184,
      }),
      idleSeconds: integer("How long a download may go without a single byte.", { default: 60, min: 1, max: 3600 }),
      pullFrom: optional(
        section("Where processes do not share root: another one, which has the active binary.", {
          url: text("Base URL of its API. Plain http is accepted for loopback addresses only.", { check: checkIssuer }),
          tokenFile: optional(
            path("File with a token that has the permission Radius.Core/installer/read; read for every pull."),
          ),
          caFile: optional(path("File with the authority of its certificate, trusted besides the system's.")),
        }),
      ),
    }),
    requireSettings: flag(
      "Whether Terraform recipes of Radius.Core environments need terraformSettings; without, defaults apply.",
      true,
    ),
    logLevel: choice(
      "Level of Terraform's own log where settings name none.",
      ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF"],
      "ERROR",
    ),
    runs: section("How recipes run Terraform.", {
      root: optional(
        path("Folder of working folders and of the cache. Without it terraform-runs in the server's data folder."),
      ),
      maxConcurrent: integer("Runs of Terraform that this process has at once; others wait.", {
        default: 20,
        min: 1,
        max: 1000,
      }),
      graceSeconds: integer("How long Terraform may take to end after SIGINT, before it is killed.", {
        default: 60,
        min: 1,
        max: 3600,
      }),
      timeoutMinutes: number("How long all commands of a run may take together.", {
        default: 60,
        min: 0.01,
        max: 1440,
      }),
    }),
  },
  { retired: { path: "binaries are below terraform.installer.root." } },
);

const audit = section("The audit log.", {
  retentionDays: number("How long audit records are kept.", { default: 365, min: 0.001, max: 36_500 }),
});

const prometheus = section(
  "The Prometheus endpoint.",
  {
    path: text("Its path.", { default: "/metrics", check: checkUrlPath }),
    port: optional(
      integer(
        "A port of its own, with the API's TLS, on which callers need the permission System.Resources/metrics/read as " +
          "they do on the API's port.",
        { min: 1, max: 65_535 },
      ),
    ),
    anonymous: flag("Opens that port to anybody who reaches it, without TLS and without a token.", false),
  },
  { rule: checkPrometheus },
);

const metricsProvider = section("Metrics.", {
  enabled: flag("Whether metrics are collected.", true),
  serviceName: text("The service.name that metrics carry.", { default: "radius" }),
  prometheus,
});

const tracerProvider = section(
  "Traces, and where telemetry is sent.",
  {
    enabled: flag("Whether traces are sent, given an endpoint.", true),
    serviceName: text("The service.name that traces carry.", { default: "radius" }),
    otlp: section("An OpenTelemetry collector.", {
      endpoint: optional(
        text(
          "Base URL of OTLP over HTTP. Falls back to OTEL_EXPORTER_OTLP_ENDPOINT; without either, nothing is sent.",
          {
            check: checkHttpUrl,
          },
        ),
      ),
    }),
  },
  { retired: { zipkin: "traces go to tracerProvider.otlp.endpoint." } },
);

const logging = section("Log lines on standard error.", {
  level: choice("Minimum level to log. RADIUS_LOGGING_LEVEL overrides it.", ["debug", "info", "warn", "error"], "info"),
  json: optional(
    flag(
      "JSON lines, or with false lines for people. Without it JSON, unless standard error is a terminal. RADIUS_LOGGING_JSON overrides it.",
      true,
    ),
  ),
});

const initialization = section("What a new installation starts with.", {
  planes: list(
    section("A plane that is created when it is missing.", {
      id: text("Its id.", { check: checkPlaneId }),
      type: optional(text("Optional; derived from the id.")),
      name: optional(text("Optional; derived from the id.")),
      properties: record("Its properties."),
    }),
  ),
  manifestDirectory: optional(path("Folder of resource type manifests that are registered at start.")),
});

const authentication = section(
  "Who may call the API. The local token (SQLite) or the bootstrap token (PostgreSQL) is always accepted.",
  {
    bootstrapTokenFile: optional(
      path(
        "With postgresql: the file for the first administrator's token, which the first start on an empty database creates.",
      ),
    ),
    tokens: list(
      section("A bearer token; its subject is token:<name>.", {
        name: text("What assignments and audit records call it.", { check: checkName }),
        sha256: text("SHA-256 of the token in hexadecimal.", { check: checkSha256 }),
      }),
    ),
    oidc: list(
      section("An OpenID Connect issuer whose tokens are accepted.", {
        issuer: text("Its URL, exactly as in the tokens.", { check: checkIssuer }),
        audience: oneOrMore(text("The audience that a token must have.")),
        prefix: text("Prefix for its users and groups, so that no two sources can name the same subject.", {
          default: "oidc:",
          check: checkPrefix,
        }),
        usernameClaim: text("The claim that names the user.", { default: "sub" }),
        groupsClaim: text("The claim that lists the user's groups.", { default: "groups" }),
        algorithms: list(choice("Accepted signatures; all asymmetric ones when empty.", asymmetricAlgorithms)),
      }),
    ),
    frontProxy: optional(
      section(
        "A proxy, such as the Kubernetes API server, that has authenticated the caller; subjects are proxy:<user>.",
        {
          caFile: path("The CA that signs the proxy's client certificate."),
          allowedNames: list(text("Common names of that certificate; any when empty.")),
        },
      ),
    ),
  },
  { rule: checkAuthentication },
);

const authorization = section(
  "What callers may do. Nothing is allowed unless it is listed here.",
  {
    roles: list(
      section("A set of permissions, besides the built-in radius-admin and radius-reader.", {
        name: text("What assignments call it.", { check: checkName }),
        permissions: list(
          text("A permission such as Applications.Core/containers/read; * stands for anything.", {
            check: checkPermissionPattern,
          }),
        ),
      }),
    ),
    assignments: list(
      section(
        "Gives a role to a subject or a group.",
        {
          role: text("Name of the role."),
          subject: optional(text("The subject, as in token:ci or oidc:alice.")),
          group: optional(text("The group, as in oidc:developers or proxy:system:masters.")),
          scope: text("The role applies at this id and below; / is everything.", { check: checkScope }),
        },
        { rule: checkAssignment },
      ),
    ),
  },
  { rule: checkRoles },
);

export const serverConfig = section(
  "The server's configuration.",
  {
    environment,
    server,
    workerServer,
    databaseProvider,
    encryption,
    operations,
    deployments,
    kubernetes,
    terraform,
    audit,
    metricsProvider,
    tracerProvider,
    logging,
    initialization,
    authentication,
    authorization,
  },
  {
    rule: checkTogether,
    retired: {
      queueProvider: "the queue lives in the database.",
      secretProvider: "secret values are sealed in the database.",
      ucp: "this process serves every plane itself.",
      routing: "this process serves every type itself.",
      profilerProvider: "Node's own profiler can be attached with --inspect.",
      identity: "callers are authenticated as the section authentication says.",
      featureFlags: "there are no feature flags.",
      bicep: "settings of Bicep are resources of the type Radius.Core/bicepSettings.",
    },
  },
);

export type ServerConfig = ValueOf<typeof serverConfig>;
export type AuthenticationConfig = ServerConfig["authentication"];
export type AuthorizationConfig = ServerConfig["authorization"];
export type OidcIssuerConfig = AuthenticationConfig["oidc"][number];
