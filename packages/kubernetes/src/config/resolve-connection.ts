import { readFile } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { join, resolve } from "node:path";
import { ApiError, systemClock } from "@rad/core";
import type { Clock, JsonObject } from "@rad/core";
import type { ClusterConfig, ExplicitCluster, KubeConfigFile } from "./cluster-config.ts";
import type { Connection } from "./connection.ts";
import type { CredentialSource } from "./credentials.ts";
import { sameCredentials } from "./credentials.ts";
import type { KubeConfig, KubeContext } from "./kube-config.ts";
import { capital, chooseContext, parseKubeConfig, readKubeConfig, textOf } from "./kube-config.ts";
import { userCredentials } from "./user-credentials.ts";

export interface ConnectionDeps {
  readonly clock: Clock;
  readonly env: NodeJS.ProcessEnv;
  /** Where a pod finds the files of its service account. */
  readonly serviceAccountFolder: string;
}

const systemDeps: ConnectionDeps = {
  clock: systemClock,
  env: process.env,
  serviceAccountFolder: "/var/run/secrets/kubernetes.io/serviceaccount",
};

const systemAuthorities = "the authorities that this system trusts";

/** @throws ApiError `BadRequest` that says what is wrong with the configuration. */
export async function resolveConnection(config: ClusterConfig, deps: ConnectionDeps = systemDeps): Promise<Connection> {
  switch (config.kind) {
    case "kubeConfig":
      return await fromFile(config, deps);
    case "kubeConfigText": {
      checkLength(config.text);
      const kubeConfig = parseKubeConfig(config.text, "the kube config of the request", undefined);
      const context = chooseContext(kubeConfig, config.context);
      checkRequested(context.cluster);
      return await fromContext(kubeConfig, context, credentialsOf(kubeConfig, context, deps.clock), deps);
    }
    case "inCluster":
      return await fromPod(deps);
    case "explicit":
      return fromValues(config, deps);
    default:
      return config satisfies never;
  }
}

/** Enough for dozens of clusters. YAML of a size that anybody chooses would keep the event loop. */
const maxRequestedLength = 64 * 1024;

function checkLength(text: string): void {
  if (text.length > maxRequestedLength) {
    const advice = "Leave out the clusters and users that are not needed.";
    throw new ApiError(
      "BadRequest",
      `The kube config of the request is larger than ${maxRequestedLength / 1024} KiB. ${advice}`,
    );
  }
}

/** Whoever sends a request could otherwise reach services inside the network that only this server should. */
function checkRequested(cluster: JsonObject): void {
  if (!textOf(cluster, "server")?.startsWith("https://") || textOf(cluster, "proxy-url") !== undefined) {
    const advice = "A kube config that comes with a request may name https:// addresses only, and no proxy.";
    throw new ApiError("BadRequest", `The cluster of the kube config of the request cannot be used. ${advice}`);
  }
}

async function fromFile({ file, context: wanted }: KubeConfigFile, deps: ConnectionDeps): Promise<Connection> {
  const kubeConfig = await readKubeConfig(file);
  const context = chooseContext(kubeConfig, wanted);
  const credentials = rereadCredentials(credentialsOf(kubeConfig, context, deps.clock), async () => {
    const current = await readKubeConfig(file);
    return credentialsOf(current, chooseContext(current, context.name), deps.clock);
  });
  return await fromContext(kubeConfig, context, credentials, deps);
}

/** Whoever logs in again changes the kube config, so it is read again when its credentials are refused. */
function rereadCredentials(first: CredentialSource, reread: () => Promise<CredentialSource>): CredentialSource {
  let current = first;
  return {
    description: first.description,
    get renewal() {
      return current.renewal;
    },
    get: async () => await current.get(),
    renew: async (refused) => {
      if (await current.renew(refused)) {
        return true;
      }
      const next = await reread();
      if (sameCredentials(await next.get(), refused)) {
        return false;
      }
      current = next;
      return true;
    },
  };
}

async function fromContext(
  { folder, source }: KubeConfig,
  { name, clusterName, cluster }: KubeContext,
  credentials: CredentialSource,
  { env }: ConnectionDeps,
): Promise<Connection> {
  const place = `the cluster '${clusterName}' of ${source}`;
  const server = serverOf(textOf(cluster, "server"), place);
  const isInsecure = cluster["insecure-skip-tls-verify"] === true;
  return {
    description: `the cluster '${name}'`,
    server,
    ...(await authoritiesOf(cluster, folder, place)),
    serverName: textOf(cluster, "tls-server-name"),
    isInsecure,
    proxies: proxiesFor(server, textOf(cluster, "proxy-url"), env, place),
    credentials,
  };
}

function credentialsOf(config: KubeConfig, context: KubeContext, clock: Clock): CredentialSource {
  const { user, userName, cluster } = context;
  const description = userName === undefined ? `the context '${context.name}'` : `the user '${userName}'`;
  return userCredentials(
    { user, cluster, folder: config.folder, description: `${description} of ${config.source}` },
    clock,
  );
}

async function authoritiesOf(
  cluster: JsonObject,
  folder: string | undefined,
  place: string,
): Promise<Pick<Connection, "ca" | "caSource">> {
  const data = textOf(cluster, "certificate-authority-data");
  if (data !== undefined) {
    const ca = Buffer.from(data, "base64").toString();
    return { ca, caSource: `the certificate-authority-data of ${place}` };
  }
  const file = textOf(cluster, "certificate-authority");
  if (file === undefined) {
    return { ca: undefined, caSource: systemAuthorities };
  }
  if (folder === undefined) {
    const advice = "A kube config that comes with a request may name no files. Use 'certificate-authority-data'.";
    throw new ApiError("BadRequest", `A 'certificate-authority' is named for ${place}. ${advice}`);
  }
  return { ca: await readAuthorities(resolve(folder, file), place), caSource: `the file '${file}' (${place})` };
}

async function readAuthorities(file: string, place: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new ApiError("BadRequest", `The certificate authority '${file}' of ${place} cannot be read (${code}).`);
  }
}

async function fromPod({ clock, env, serviceAccountFolder }: ConnectionDeps): Promise<Connection> {
  const [host, port = "443"] = [env["KUBERNETES_SERVICE_HOST"], env["KUBERNETES_SERVICE_PORT"]];
  const place = "the pod's service account";
  if (host === undefined || host === "") {
    const advice = "Set 'kubernetes.kubeConfig' instead of 'kubernetes.inCluster'.";
    throw new ApiError(
      "BadRequest",
      `This process does not run in a pod (KUBERNETES_SERVICE_HOST is not set). ${advice}`,
    );
  }
  const caFile = join(serviceAccountFolder, "ca.crt");
  const user = { tokenFile: join(serviceAccountFolder, "token") };
  return {
    description: "the cluster that this server runs in",
    server: serverOf(`https://${isIPv6(host) ? `[${host}]` : host}:${port}`, place),
    ca: await readAuthorities(caFile, place),
    caSource: `the file '${caFile}'`,
    serverName: undefined,
    isInsecure: false,
    proxies: {},
    credentials: userCredentials({ user, cluster: {}, folder: serviceAccountFolder, description: place }, clock),
  };
}

function fromValues({ server: address, ca, token }: ExplicitCluster, { clock, env }: ConnectionDeps): Connection {
  const place = "the configuration";
  const server = serverOf(address, place);
  const user: JsonObject = token === undefined ? {} : { token };
  return {
    description: `the cluster at '${server.origin}'`,
    server,
    ca,
    caSource: ca === undefined ? systemAuthorities : `the authorities in ${place}`,
    serverName: undefined,
    isInsecure: false,
    proxies: proxiesFor(server, undefined, env, place),
    credentials: userCredentials({ user, cluster: {}, folder: undefined, description: place }, clock),
  };
}

function serverOf(address: string | undefined, place: string): URL {
  const url = address === undefined ? null : URL.parse(address);
  if (url === null || !["https:", "http:"].includes(url.protocol)) {
    throw new ApiError("BadRequest", `${capital(place)} has no usable address of an API server: '${address ?? ""}'.`);
  }
  return url;
}

/** A proxy of the kube config counts before those of the environment, and nothing on this machine is behind one. */
function proxiesFor(
  server: URL,
  proxy: string | undefined,
  env: NodeJS.ProcessEnv,
  place: string,
): Readonly<Record<string, string>> {
  if (proxy !== undefined) {
    const url = URL.parse(proxy);
    if (url === null || !["https:", "http:"].includes(url.protocol)) {
      throw new ApiError(
        "BadRequest",
        `The proxy-url of ${place} is not supported. Use a proxy with http:// or https://.`,
      );
    }
    return { HTTPS_PROXY: proxy, HTTP_PROXY: proxy };
  }
  if (/^(localhost|127\..*|\[::1\])$/.test(server.hostname)) {
    return {};
  }
  const names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"];
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]] as const] : [])));
}
