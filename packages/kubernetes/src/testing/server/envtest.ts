import { generateKeyPairSync, randomBytes } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import https from "node:https";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "@rad/store/testing";
import { kubeConfigText } from "../kube-config-text.ts";
import type { ClusterDescription } from "./cluster-description.ts";
import { ServerProcess } from "./server-process.ts";
import type { RunningServer, StartOptions } from "./start-server.ts";

const startTimeoutMs = 120_000;

/** Ends its process group when its input closes, when it is told to, and when the API server ends. */
const supervisor = `
exec 3<&0
trap 'kill -KILL 0' TERM INT HUP
"$1/etcd" $2 &
"$1/kube-apiserver" $3 & apiserver=$!
{ cat > /dev/null; kill -KILL 0; } <&3 &
wait "$apiserver"
kill -KILL 0
`;

const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: None
  users: ["system:apiserver"]
- level: None
  nonResourceURLs: ["/readyz*", "/livez*", "/healthz*"]
- level: Metadata
`;

/** Starts etcd and kube-apiserver of the folder that envtest fills: no controllers, no node. */
export async function startEnvtest(assets: string, options: StartOptions): Promise<RunningServer> {
  const { folder } = options;
  const port = options.port === 0 ? await freePort() : options.port;
  const token = await writeFiles(folder);
  const [client, peer] = [await freePort(), await freePort()];
  const args = [assets, etcdArgs(client, peer).join(" "), apiServerArgs(client, port, options.apiServerArgs).join(" ")];
  const server = new ServerProcess("/bin/sh", ["-c", supervisor, "supervisor", ...args], {
    folder,
    log: path.join(folder, "server.log"),
  });
  const description: ClusterDescription = {
    kubeConfig: path.join(folder, "kubeconfig"),
    context: "test",
    url: `https://127.0.0.1:${port}`,
    caFile: path.join(folder, "pki", "apiserver.crt"),
    token,
    auditLog: path.join(folder, "audit.log"),
    serverCertFile: path.join(folder, "pki", "apiserver.crt"),
    serverKeyFile: path.join(folder, "pki", "apiserver.key"),
  };
  const deadline = performance.now() + startTimeoutMs;
  while (!(await isReady(description))) {
    if (!server.isRunning || performance.now() > deadline) {
      server.kill("SIGKILL");
      throw new Error(`etcd and kube-apiserver of ${assets} did not start:\n${await server.lastWords()}`);
    }
    await delay(50);
  }
  await writeFile(description.kubeConfig, await kubeConfigText(description, token), { mode: 0o600 });
  return { process: server, description };
}

/** Relative to the folder of the cluster, in which the programs run: words of a shell must not hold spaces. */
function etcdArgs(client: number, peer: number): string[] {
  const url = (port: number): string => `http://127.0.0.1:${port}`;
  return [
    "--data-dir=etcd",
    `--listen-client-urls=${url(client)}`,
    `--advertise-client-urls=${url(client)}`,
    `--listen-peer-urls=${url(peer)}`,
    `--initial-advertise-peer-urls=${url(peer)}`,
    `--initial-cluster=default=${url(peer)}`,
    "--unsafe-no-fsync",
    "--log-level=error",
  ];
}

function apiServerArgs(etcd: number, port: number, more: readonly string[]): string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${etcd}`,
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    "--endpoint-reconciler-type=none",
    `--secure-port=${port}`,
    "--service-cluster-ip-range=10.96.0.0/16",
    "--allow-privileged=true",
    "--authorization-mode=RBAC",
    "--audit-policy-file=audit-policy.yaml",
    "--audit-log-path=audit.log",
    "--cert-dir=pki",
    "--token-auth-file=tokens.csv",
    "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
    "--service-account-key-file=sa.key",
    "--service-account-signing-key-file=sa.key",
    // Nothing makes the service accounts that it asks for.
    "--disable-admission-plugins=ServiceAccount",
    ...more,
  ];
}

/** @returns the administrator's token: that of an earlier start, if there was one. */
async function writeFiles(folder: string): Promise<string> {
  const tokens = path.join(folder, "tokens.csv");
  const earlier = await readFile(tokens, "utf8").catch(() => undefined);
  if (earlier !== undefined) {
    return earlier.slice(0, earlier.indexOf(","));
  }
  const token = randomBytes(16).toString("hex");
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = privateKey.export({ type: "sec1", format: "pem" });
  await writeFile(path.join(folder, "sa.key"), key, { mode: 0o600 });
  await writeFile(path.join(folder, "audit-policy.yaml"), auditPolicy);
  await writeFile(tokens, `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });
  return token;
}

/** The API server writes its self-signed certificate when it starts. */
async function isReady({ caFile, url, token }: ClusterDescription): Promise<boolean> {
  if ((await stat(caFile).catch(() => undefined)) === undefined) {
    return false;
  }
  const ca = await readFile(caFile);
  const headers = { authorization: `Bearer ${token}` };
  return await new Promise((resolve) => {
    https
      .get(`${url}/readyz`, { ca, headers, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      })
      .on("error", () => resolve(false));
  });
}
