import type { LookupFunction } from "node:net";
import { createSecureContext, getCACertificates } from "node:tls";
import type { SecureContext } from "node:tls";
import { Agent, EnvHttpProxyAgent, Pool, ProxyAgent } from "undici";
import type { Dispatcher } from "undici";
import { ArtifactError } from "../artifact-error.ts";
import type { NetworkOptions } from "./network.ts";

export interface DispatcherOptions extends Pick<NetworkOptions, "ca" | "systemRoots" | "proxy"> {
  readonly lookup: LookupFunction;
}

/** What the HTTP client gives a direct connection, too. A way that is never opened keeps the process from its end. */
const tunnelMs = 10_000;

/** @throws ArtifactError `CertificateRefused`, `InvalidProxy` */
export function createDispatcher({ ca, systemRoots = false, proxy, lookup }: DispatcherOptions): Dispatcher {
  const tls = {
    secureContext: createTlsContext(ca, systemRoots),
    rejectUnauthorized: true, // whatever NODE_TLS_REJECT_UNAUTHORIZED says
  };
  const common = {
    allowH2: false,
    headersTimeout: 0, // requests have time limits of their own
    bodyTimeout: 0,
    connect: { ...tls, allowH2: false, lookup },
    requestTls: { ...tls, allowH2: false },
    proxyTls: tls,
    clientFactory: (proxyOrigin: URL, options: object) =>
      new Pool(proxyOrigin, { ...options, headersTimeout: tunnelMs }),
  };
  if (proxy === undefined) {
    return new Agent(common);
  }
  if ("url" in proxy) {
    return new ProxyAgent({ ...common, uri: proxyUrl(proxy.url) });
  }
  const read = (name: string): string => proxy.env[name.toLowerCase()] ?? proxy.env[name] ?? "";
  const readUrl = (name: string): string => (read(name) === "" ? "" : proxyUrl(read(name)));
  return new EnvHttpProxyAgent({
    ...common,
    httpProxy: readUrl("HTTP_PROXY"),
    httpsProxy: readUrl("HTTPS_PROXY"),
    noProxy: `${read("NO_PROXY")},localhost,127.0.0.1,::1`,
  });
}

/**
 * `proxy.example:3128` is one, too, as for Terraform and git. The text may hold a password, so no message quotes it.
 * @throws ArtifactError `InvalidProxy`
 */
function proxyUrl(given: string): string {
  const text = given.includes("://") ? given : `http://${given}`;
  const url = URL.parse(text);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new ArtifactError("InvalidProxy", "The address of the proxy is not an http or https URL.");
  }
  if (![url.username, url.password].every(isPercentEncoded)) {
    throw new ArtifactError(
      "InvalidProxy",
      "The user or the password of the proxy has a % that must be written as %25.",
    );
  }
  return text;
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Made once per network: hundreds of authorities take 40 ms to parse. @throws ArtifactError `CertificateRefused` */
function createTlsContext(ca: string | undefined, systemRoots: boolean): SecureContext {
  try {
    return createSecureContext({
      ...(ca === undefined && !systemRoots ? {} : { ca: authorities(ca, systemRoots) }),
      minVersion: "TLSv1.2", // whatever Node was started with
    });
  } catch (error) {
    const message = "The certificates of authorities that were given cannot be read as PEM.";
    throw new ArtifactError("CertificateRefused", message, { cause: error });
  }
}

/** Node replaces its own list when it is given one, so the two are put together. */
function authorities(pem: string | undefined, systemRoots: boolean): string[] {
  const system = systemRoots ? getCACertificates("system") : [];
  return [...new Set([...getCACertificates("default"), ...system, ...(pem === undefined ? [] : [pem])])];
}
