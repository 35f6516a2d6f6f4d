import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startTestServer, type TestServer } from "@rad/control-plane/testing";
import { instance } from "@viz-js/viz";

const main = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));

const application = `extension radius

@secure()
param password string

resource environment 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'dev'
  properties: {
    compute: { kind: 'kubernetes', namespace: 'dev' }
  }
}

resource shop 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: {
    environment: environment.id
  }
}

resource keys 'Applications.Core/secretStores@2023-10-01-preview' = {
  name: 'keys'
  properties: {
    application: shop.id
    type: 'generic'
    data: {
      password: { value: password }
    }
  }
}

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: shop.id
    container: {
      image: 'web:1'
      ports: {
        http: { containerPort: 3000 }
      }
      env: {
        PASSWORD: {
          valueFrom: {
            secretRef: { source: keys.id, key: 'password' }
          }
        }
      }
    }
    connections: {
      orders: { source: 'http://\${orders.name}:8080' }
    }
  }
}

resource orders 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'orders'
  properties: {
    application: shop.id
    container: {
      image: 'orders:1'
      ports: {
        api: { containerPort: 8080 }
      }
      volumes: {
        scratch: { kind: 'ephemeral', managedStore: 'memory', mountPath: '/scratch' }
      }
    }
  }
}

resource edge 'Applications.Core/gateways@2023-10-01-preview' = {
  name: 'edge'
  properties: {
    application: shop.id
    routes: [{ path: '/', destination: 'http://\${web.name}:3000' }]
  }
}
`;

const text = `Displaying application: shop

Name: orders (Applications.Core/containers)
Connections:
  web (Applications.Core/containers) -> orders
Resources:
  orders (apps/Deployment)
  orders (core/Service)
  orders (core/ServiceAccount)
  orders (rbac.authorization.k8s.io/Role)
  orders (rbac.authorization.k8s.io/RoleBinding)

Name: web (Applications.Core/containers)
Connections:
  web -> orders (Applications.Core/containers)
  edge (Applications.Core/gateways) -> web
Resources:
  web (apps/Deployment)
  web (core/Service)
  web (core/ServiceAccount)
  web (rbac.authorization.k8s.io/Role)
  web (rbac.authorization.k8s.io/RoleBinding)

Name: edge (Applications.Core/gateways)
Connections:
  edge -> web (Applications.Core/containers)
Resources:
  edge (projectcontour.io/HTTPProxy)
  web (projectcontour.io/HTTPProxy)

Name: keys (Applications.Core/secretStores)
Connections: (none)
Resources:
  keys (core/Secret)


`;

let server: TestServer;
let home: string;
before(async () => {
  server = await startTestServer();
  home = await mkdtemp(path.join(tmpdir(), "rad-graph-"));
  await writeFile(path.join(home, "app.bicep"), application);
  await rad("workspace", "create", "server", "test", "--url", server.url, "--token-file", server.tokenFile);
  await rad("group", "create", "dev");
  await rad("group", "switch", "dev");
  await rad("deploy", "app.bicep", "-p", "password=canary-of-the-graph");
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

async function rad(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", main, ...args],
    { cwd: home, env: { PATH: process.env["PATH"], HOME: home } },
  );
  return stdout;
}

it("the graph of a deployed application matches in every format", async () => {
  const [plain, json, dot, mermaid, svg] = await Promise.all(
    ["text", "json", "dot", "mermaid", "svg"].map((format) => rad("app", "graph", "shop", "-o", format)),
  );

  assert.equal(plain, text);
  const { resources } = JSON.parse(json ?? "") as { resources: { name: string; provisioningState: string }[] };
  assert.deepEqual(
    resources.map(({ name, provisioningState }) => [name, provisioningState]),
    ["orders", "web", "edge", "keys"].map((name) => [name, "Succeeded"]),
  );
  const drawn = (await instance()).renderJSON(dot ?? "") as { objects: unknown[]; edges: unknown[] };
  assert.deepEqual([drawn.objects.length, drawn.edges.length], [4, 2]);
  assert.deepEqual(mermaid?.split("\n").slice(5, -1), ["  n2 --> n1", "  n3 --> n2"]);
  assert.deepEqual([svg?.match(/class="box"/g)?.length, svg?.match(/class="line"/g)?.length], [4, 2]);
  assert.doesNotMatch([plain, json, dot, mermaid, svg].join(""), /canary/);
});

it("the graph of the file has the same resources and connections before it is deployed", async () => {
  const [ofFile, deployed] = await Promise.all([
    rad("app", "graph", "app.bicep", "-o", "mermaid"),
    rad("app", "graph", "shop", "-o", "mermaid"),
  ]);

  const withoutDependencies = ofFile.split("\n").filter((line) => !line.includes("-.->"));
  assert.deepEqual(withoutDependencies, deployed.split("\n"));
});
