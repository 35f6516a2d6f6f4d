/** `rad run`, `rad resource logs` and `rad resource expose` as processes, on a real API server. */
import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { after, before, it } from "node:test";
import { until } from "@rad/core/testing";
import { startTestServer, type TestServer } from "@rad/control-plane/testing";
import { testCluster, type TestCluster } from "@rad/kubernetes/testing";
import { createRadHome, type RadHome, type RadProcess } from "./rad-home.ts";

let cluster: TestCluster;
let server: TestServer;
let home: RadHome;
/** Of the application `shop`. */
let namespace: string;

/** What the containers print and answer is in annotations, which the test cluster's kubelet reads. */
const shop = (name: string) => `extension radius

resource env 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'shop'
  properties: { compute: { kind: 'kubernetes', namespace: '${name}' } }
}

resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: env.id }
}

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: { image: 'web:1', ports: { web: { containerPort: 3000 } } }
    extensions: [
      {
        kind: 'kubernetesMetadata'
        annotations: { 'kube-test-server/logs': 'web is listening', 'kube-test-server/answer': 'hello from web' }
      }
    ]
  }
}

resource worker 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'worker'
  properties: {
    application: app.id
    container: { image: 'worker:1' }
    extensions: [
      { kind: 'kubernetesMetadata', annotations: { 'kube-test-server/logs': 'worker is waiting' } }
    ]
  }
}
`;

before(async () => {
  cluster = await testCluster();
  const environment = await cluster.namespace("run");
  namespace = `${environment}-shop`;
  server = await startTestServer({
    overrides: { kubernetes: { kubeConfig: cluster.kubeConfig, context: cluster.context } },
  });
  home = await createRadHome({ server, cluster, group: "run" });
  await home.write("shop.bicep", shop(environment));
});

after(async () => {
  await home[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

it("rad run deploys, follows the logs of all containers, forwards ports, and moves on to a pod that replaces another", async () => {
  const rad = home.start("run", "shop.bicep");

  const [, pod = "", port = ""] = await rad.printed(
    /^(web-\S+) web \[port-forward\] connected from localhost:(\d+) -> ::3000$/m,
  );
  await rad.printed(new RegExp(`^${pod} web web is listening$`, "m"));
  await rad.printed(/^worker-\S+ worker worker is waiting$/m);
  assert.equal(await answerOf(Number(port)), "hello from web");

  await cluster.request("DELETE", `/api/v1/namespaces/${namespace}/pods/${pod}`);
  await rad.printed(new RegExp(`^${pod} web \\[port-forward\\] disconnected from localhost:${port} -> ::3000$`, "m"));
  const [, successor = ""] = await rad.printed(
    new RegExp(`^(?!${pod} )(web-\\S+) web \\[port-forward\\] connected from localhost:${port} -> ::3000$`, "m"),
  );
  await rad.printed(new RegExp(`^${successor} web web is listening$`, "m"));
  assert.equal(await answerOf(Number(port)), "hello from web");

  const { code, stdout, stderr } = await rad.interrupt();
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^Starting log stream\.\.\.$/m);
  assert.match(stdout, /^Deployment Complete$/m);
  // oxlint-disable-next-line no-control-regex -- escape sequences are what must not be there
  assert.doesNotMatch(stdout, /\u001b/);
  await assert.rejects(answerOf(Number(port)), { code: "ECONNREFUSED" });
});

it("a port that is taken gives way to another one", async () => {
  await using taken = await listenAt(3000);
  const rad = home.start("run", "shop.bicep", "-a", "shop");

  const [, port = ""] = await rad.printed(/ web \[port-forward\] connected from localhost:(\d+) -> ::3000$/m);

  assert.ok(!taken.isOurs || port !== "3000", port);
  assert.equal(await answerOf(Number(port)), "hello from web");
  assert.equal((await rad.interrupt()).code, 0);
});

it("rad resource logs prints what is there, and with --follow what is still to come", async () => {
  const logs = ["resource", "logs", "Applications.Core/containers", "web", "-a", "shop"];

  const { stdout } = await home.rad(...logs);
  const [, pod = ""] = /^\[(web-\S+)\] web is listening\n$/.exec(stdout) ?? [];
  assert.notEqual(pod, "", stdout);
  const json = await home.rad(...logs, "--replica", pod, "-o", "json");
  assert.deepEqual(JSON.parse(json.stdout), { pod, container: "web", line: "web is listening" });

  const rad = home.start(...logs, "-f");
  await rad.printed(/is listening/);
  await cluster.request("PATCH", `/api/v1/namespaces/${namespace}/pods/${pod}`, {
    metadata: { annotations: { "kube-test-server/logs": "web is listening\nand answers" } },
  });
  await rad.printed(new RegExp(`^\\[${pod}\\] and answers$`, "m"));
  const ended = await rad.interrupt();
  assert.equal(ended.code, 0, ended.stderr);
  assert.match(ended.stderr, /^Following the logs of Applications\.Core\/containers\/web in the cluster/);
});

it("a reader that goes away ends rad", async () => {
  const rad = home.start("resource", "logs", "containers", "worker", "-a", "shop", "--follow");
  await rad.printed(/worker is waiting/);

  rad.child.stdout.destroy();
  const { items } = await cluster.request<{ items: { metadata: { name: string } }[] }>(
    "GET",
    `/api/v1/namespaces/${namespace}/pods?labelSelector=radapp.io/resource=worker`,
  );
  await cluster.request("PATCH", `/api/v1/namespaces/${namespace}/pods/${items[0]?.metadata.name}`, {
    metadata: { annotations: { "kube-test-server/logs": "worker is waiting\nfor a reader" } },
  });

  assert.equal((await rad.ended).code, 0);
});

it("rad resource expose forwards a port until Ctrl+C, also to the successor of its pod", async () => {
  const port = await freePort();
  const rad = home.start(
    "resource",
    "expose",
    "-t",
    "containers",
    "web",
    "-a",
    "shop",
    "-p",
    `${port}`,
    "--remote-port",
    "3000",
  );
  const [, pod = ""] = await rad.printed(/^Exposing replica (web-\S+)$/m);
  assert.equal(await answerOf(port), "hello from web");

  await cluster.request("DELETE", `/api/v1/namespaces/${namespace}/pods/${pod}`);
  await until("the port answers again", async () => (await answerOf(port).catch(() => "")) === "hello from web");

  const { code, stderr } = await rad.interrupt();
  assert.equal(code, 0, stderr);
  await assert.rejects(answerOf(port), { code: "ECONNREFUSED" });
});

it("an application of Radius.Core runs like any other, and a pod with several containers wants one named", async () => {
  const place = await cluster.namespace("next");
  await home.rad("env", "create", "next", "--preview", "--kubernetes-namespace", place);
  await home.write(
    "next.bicep",
    `extension radius

param environment string

resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'next'
  properties: { environment: environment }
}

resource api 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'api'
  properties: {
    environment: environment
    application: app.id
    containers: {
      main: { image: 'api:1' }
      side: { image: 'side:1' }
    }
  }
}
`,
  );
  const rad = home.start("run", "next.bicep", "-e", "next");
  const pod = await until("the pod runs", async () => {
    const { items } = await cluster.request<{ items: { metadata: { name: string }; status: { phase: string } }[] }>(
      "GET",
      `/api/v1/namespaces/${place}/pods?labelSelector=radapp.io/application=next`,
    );
    return items.find(({ status }) => status.phase === "Running")?.metadata.name;
  });
  await cluster.request("PATCH", `/api/v1/namespaces/${place}/pods/${pod}`, {
    metadata: {
      annotations: { "kube-test-server/logs.main": "main prints", "kube-test-server/logs.side": "side prints" },
    },
  });

  await rad.printed(new RegExp(`^${pod} api main prints$`, "m"));
  await rad.printed(new RegExp(`^${pod} api side prints$`, "m"));
  assert.equal((await rad.interrupt()).code, 0);
  const both = await home.start("resource", "logs", "containers", "api", "-a", "next").ended;
  assert.equal(both.code, 1);
  assert.match(
    both.stderr,
    /several containers\. Choose one with `--container`: main, side\.\nCode: {2}ContainerRequired/,
  );
  const side = await home.rad("resource", "logs", "containers", "api", "-a", "next", "--container", "side");
  assert.equal(side.stdout, `[${pod}] side prints\n`);
});

it("Ctrl+C while the deployment is still running leaves the deployment alone and ends with 130", async () => {
  await home.write(
    "slow.bicep",
    shop(`${namespace}-slow`)
      .replaceAll("'kube-test-server/logs': ", "'kube-test-server/outcome': 'pending', 'kube-test-server/logs': ")
      .replaceAll(/'(shop|web|worker)'$/gm, "'slow-$1'"),
  );
  const rad = home.start("run", "slow.bicep");
  await started(rad);

  const { code, stderr } = await rad.interrupt();

  assert.equal(code, 130, stderr);
  assert.match(stderr, /goes on without this command/);
});

for (const [line, code] of [
  ["resource logs Applications.Core/gateways web -a shop", "InvalidUsage"],
  ["resource logs containers nope -a shop", "NotFound"],
  ["resource logs containers web -a nope", "ApplicationNotFound"],
  ["resource logs containers web -a shop --container nope", "ContainerNotFound"],
  ["resource logs containers web -a shop --replica nope", "ReplicaNotFound"],
  ["resource expose containers web -a shop -p 0", "InvalidUsage"],
  ["resource expose containers web -a shop -p 70000", "InvalidUsage"],
  ["resource expose containers -a shop -p 3000", "InvalidUsage"],
  ["resource expose containers web -r web -a shop -p 3000", "InvalidUsage"],
  ["run shop.bicep -o json", "InvalidUsage"],
] as const) {
  it(`rad ${line} fails with ${code}`, async () => {
    const ended = await home.start(...line.split(" ")).ended;

    assert.equal(ended.code, 1);
    assert.ok(ended.stderr.includes(`Code:  ${code}\n`), ended.stderr);
  });
}

it("a workspace that names no cluster is told how to name one, and nothing is deployed", async () => {
  await using alone = await createRadHome({ server, group: "alone" });
  await alone.write("shop.bicep", shop("nowhere"));

  for (const line of [
    "run shop.bicep",
    "resource logs containers web -a shop",
    "resource expose containers web -a shop -p 1",
  ]) {
    const { code, stderr } = await alone.start(...line.split(" ")).ended;
    assert.equal(code, 1);
    assert.ok(
      stderr.includes(`\`rad workspace create server test --url ${server.url} --context <name> --force\``),
      stderr,
    );
    assert.match(stderr, /writes manifests to a folder, and nothing runs there\.\nCode: {2}NoCluster/);
  }
  assert.deepEqual(JSON.parse((await alone.rad("resource", "list", "-o", "json")).stdout), []);
});

/** Until the control plane has the deployment. */
async function started(rad: RadProcess): Promise<void> {
  let stderr = "";
  rad.child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  await until(
    () => `the deployment runs: ${stderr}`,
    () => stderr.includes("Running"),
  );
}

/** What a server at a local port answers. */
async function answerOf(port: number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  try {
    socket.end("GET / HTTP/1.0\r\n\r\n");
    for await (const chunk of socket) {
      text += String(chunk);
    }
    return text.split("\r\n\r\n")[1] ?? "";
  } finally {
    socket.destroy();
  }
}

async function freePort(): Promise<number> {
  await using free = await listenAt(0);
  return free.port;
}

/** Holds a port, unless somebody else does. */
async function listenAt(port: number): Promise<AsyncDisposable & { readonly port: number; readonly isOurs: boolean }> {
  const listener = createServer();
  const isOurs = await new Promise<boolean>((resolve) => {
    listener.once("error", () => resolve(false));
    listener.listen(port, "127.0.0.1", () => resolve(true));
  });
  const address = listener.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    isOurs,
    [Symbol.asyncDispose]: async () => {
      if (isOurs) {
        await new Promise((resolve) => listener.close(resolve));
      }
    },
  };
}
