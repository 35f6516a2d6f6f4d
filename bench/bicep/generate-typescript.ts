/**
 * A TypeScript file of about `bytes` bytes that says what the generated Bicep says: the same settings, literals, names,
 * interpolations, conditions, calls, loops and comments, written the way TypeScript writes them.
 */
export function generateTypeScript(bytes: number): string {
  const parts = [header];
  let length = header.length;
  for (let index = 0; length < bytes; index += 1) {
    const part = service(index);
    parts.push(part);
    length += part.length + 1;
  }
  return parts.join("\n");
}

const header = `import { concat, create, label, range, resourceGroup, take, union, uniqueString } from "./library.ts";

// Where everything is created.
export const location: string = resourceGroup().location;

export const stage: "development" | "production" = "development";

export const tags: Record<string, string> = {};
`;

function service(index: number): string {
  const n = String(index);
  return `// Service ${n}: an application with its storage and its addresses.
// Size and shape of service ${n}.
export interface Settings${n} {
  name: string;

  // How much it may cost.
  tier: "basic" | "standard" | "premium";

  replicas: number;

  hosts: string[];
  limits: {
    cpu: string;
    memory: string;
  };
  owner?: string;
}

// A name that is unique among all services.
export function label${n}(name: string, index: number): string {
  return \`\${name.toLowerCase()}-\${index}-\${uniqueString(name)}\`;
}

// What service ${n} is given.
export const service${n}: Settings${n} = {
  name: "orders-${n}",
  tier: "basic",
  replicas: 2,
  hosts: [
    "orders-${n}.example.com",
    "www.orders-${n}.example.com",
  ],
  limits: {
    cpu: "500m",
    memory: "1Gi",
  },
};

const variables${n} = [
  {
    name: "SERVICE_NAME",
    value: service${n}.name,
  },
  {
    name: "SERVICE_STAGE",
    value: stage === "production" ? "live" : "test",
  },
  {
    name: "SERVICE_OWNER",
    value: service${n}?.owner ?? "nobody",
  },
  {
    name: "SERVICE_LIMITS",
    value: \`\${service${n}.limits.cpu}/\${service${n}.limits.memory}\`,
  },
];

const rules${n} = service${n}.hosts.map((host, i) => ({
  name: label${n}(host, i),
  priority: 100 + i * 10,
  enabled: !empty(host) && i < 20,
  pattern: host.replace(".", "-"),
}));

const storage${n} = create("Microsoft.Storage/storageAccounts@2023-01-01", {
  name: take(\`st${n}\${uniqueString(resourceGroup().id, service${n}.name)}\`, 24),
  location,
  kind: "StorageV2",
  sku: {
    name: stage === "production" ? "Standard_GRS" : "Standard_LRS",
  },
  tags: union(tags, {
    service: service${n}.name,
    stage: stage,
  }),
  properties: {
    accessTier: "Hot",
    allowBlobPublicAccess: false,
    minimumTlsVersion: "TLS1_2",
    supportsHttpsTrafficOnly: true,
    networkAcls: {
      bypass: "AzureServices",
      defaultAction: "Deny",
      ipRules: range(0, 4).map((octet) => ({
        action: "Allow",
        value: \`10.0.\${octet}.0/24\`,
      })),
    },
    encryption: {
      keySource: "Microsoft.Storage",
      services: {
        blob: {
          enabled: true,
        },
        file: {
          enabled: service${n}.tier !== "basic",
        },
      },
    },
  },
});

const site${n} = create("Microsoft.Web/sites@2023-12-01", {
  name: \`site-\${service${n}.name}-\${uniqueString(storage${n}.id)}\`,
  location,
  kind: "app,linux",
  identity: {
    type: "SystemAssigned",
  },
  tags: union(tags, {
    service: service${n}.name,
    stage: stage,
  }),
  properties: {
    httpsOnly: true,
    reserved: true,
    clientAffinityEnabled: false,
    siteConfig: {
      alwaysOn: service${n}.tier === "premium",
      ftpsState: "Disabled",
      http20Enabled: true,
      linuxFxVersion: "NODE|24-lts",
      minTlsVersion: "1.2",
      numberOfWorkers: Math.max(service${n}.replicas, stage === "production" ? 2 : 1),
      appSettings: concat(variables${n}, [
        {
          name: "STORAGE_ACCOUNT",
          value: storage${n}.name,
        },
        {
          name: "STORAGE_ENDPOINT",
          value: storage${n}.properties.primaryEndpoints.blob,
        },
        {
          name: "SERVICE_HOSTS",
          value: service${n}.hosts.join(","),
        },
        {
          name: "SERVICE_RULES",
          value: String(rules${n}.map((rule) => rule.name)),
        },
      ]),
      cors: {
        allowedOrigins: service${n}.hosts.map((host) => \`https://\${host}\`),
        supportCredentials: false,
      },
      /* Rules come in the order of the hosts,
         with room between them for others. */
      ipSecurityRestrictions: [
        {
          name: "inside",
          action: "Allow",
          ipAddress: "10.0.0.0/16",
          priority: 10,
        },
        {
          name: "rest",
          action: "Deny",
          ipAddress: "Any",
          priority: 2147483647,
        },
      ],
      healthCheckPath: "/healthz",
      httpLoggingEnabled: true,
      loadBalancing: "LeastRequests",
      requestTracingEnabled: false,
      scmMinTlsVersion: "1.2",
      use32BitWorkerProcess: false,
      webSocketsEnabled: service${n}.tier !== "basic",
      detailedErrorLoggingEnabled: stage !== "production",
      virtualApplications: [
        {
          virtualPath: "/",
          physicalPath: "site/wwwroot",
          preloadEnabled: service${n}.replicas > 1,
        },
      ],
    },
  },
});

export const hosts${n} = service${n}.hosts
  .filter((_host, i) => stage === "production" && rules${n}[i].enabled)
  .map((host, i) => create("Microsoft.Web/sites/hostNameBindings@2023-12-01", {
    parent: site${n},
    name: host,
    properties: {
      siteName: site${n}.name,
      hostNameType: "Verified",
      customHostNameDnsRecordType: "CName", // records for the bare domain are made by hand
      sslState: i === 0 ? "SniEnabled" : "Disabled",
    },
  }));

// Where service ${n} answers.
export const address${n}: string = \`https://\${site${n}.properties.defaultHostName}\`;
`;
}
