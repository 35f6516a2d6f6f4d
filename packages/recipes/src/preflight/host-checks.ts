import { fetchBytes, isSuccess, type Network } from "@rad/artifacts/download";

const maxBytes = 1024 * 1024;
const requestRules = {
  plainHttp: "never",
  redirects: { max: 5, to: "anyHost" },
  maxBytes,
} as const;

export interface HostRequest {
  readonly network: Network;
  readonly token: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Asks a provider mirror for anything at all: what it has below its URL is its own business. @throws Error */
export async function askMirror(url: string, request: HostRequest): Promise<string> {
  const { status } = await get(url, bearer(request.token), request);
  requireWelcome(new URL(url).host, status);
  return `${new URL(url).host} answers.`;
}

/**
 * Finds the modules of a registry, and asks for the versions of one that recipes use, which needs the token.
 * @param module such as `NAMESPACE/NAME/SYSTEM`
 * @throws Error
 */
export async function askRegistry(host: string, module: string | undefined, request: HostRequest): Promise<string> {
  const discovery = `https://${host}/.well-known/terraform.json`;
  const { status, bytes } = await get(discovery, {}, request);
  if (!isSuccess(status)) {
    requireWelcome(host, status);
    return `${host} answers. It is no registry of modules.`;
  }
  const services = JSON.parse(Buffer.from(bytes).toString("utf8")) as Readonly<Record<string, unknown>>;
  const modules = services["modules.v1"];
  if (module === undefined || typeof modules !== "string") {
    return `${host} answers.`;
  }
  const base = new URL(modules.endsWith("/") ? modules : `${modules}/`, discovery);
  const versions = await get(new URL(`${module}/versions`, base).href, bearer(request.token), request);
  requireWelcome(host, versions.status);
  return `${host} answers, and lets us read.`;
}

/** Logs in to an OCI registry, by the token that it hands out where it does. @throws Error */
export async function askBicepRegistry(
  host: string,
  login: { readonly username: string; readonly password: string } | undefined,
  request: Omit<HostRequest, "token">,
): Promise<string> {
  const authorization = login && `Basic ${Buffer.from(`${login.username}:${login.password}`).toString("base64")}`;
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const { status, headers: answered } = await get(`https://${host}/v2/`, headers, request);
  const challenge = /^Bearer\s+(.*)$/iu.exec(answered["www-authenticate"] ?? "")?.[1] ?? "";
  const realm = /realm="([^"]*)"/u.exec(challenge)?.[1];
  if (status === 401 && realm !== undefined) {
    const service = /service="([^"]*)"/u.exec(challenge)?.[1];
    const url = new URL(realm);
    if (service !== undefined) {
      url.searchParams.set("service", service);
    }
    requireWelcome(host, (await get(url.href, headers, request)).status);
    return `${host} answers, and takes the login.`;
  }
  if (status === 401 && login === undefined) {
    return `${host} answers.`; // how to log in is not known here
  }
  requireWelcome(host, status);
  return `${host} answers.`;
}

function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function get(
  url: string,
  headers: Readonly<Record<string, string>>,
  { network, timeoutMs, signal }: Omit<HostRequest, "token">,
): ReturnType<typeof fetchBytes> {
  return fetchBytes(network, { ...requestRules, url, headers, totalMs: timeoutMs, signal });
}

/** @throws Error for an answer that recipes would fail with */
function requireWelcome(host: string, status: number): void {
  if (status === 401 || status === 403) {
    throw new Error(`${host} answers ${status}: the credentials of the settings are missing or wrong.`);
  }
  if (status >= 500) {
    throw new Error(`${host} answers ${status}.`);
  }
}
