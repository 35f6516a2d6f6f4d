import type { LookupFunction } from "node:net";
import { getCACertificates } from "node:tls";
import { Agent, EnvHttpProxyAgent, Pool, ProxyAgent } from "undici";
import type { Dispatcher } from "undici";
import { ArtifactError } from "../artifact-error.ts";
import type { NetworkOptions } from "./network.ts";

export interface DispatcherOptions extends Pick<NetworkOptions, "ca" | "proxy"> {
  readonly lookup: LookupFunction;
}

/** What the HTTP client gives a direct connection, too. A way that is never opened keeps the process from its end. */
const tunnelMs = 10_000;

/** @throws ArtifactError `InvalidProxy` */
export function createDispatcher({ ca, proxy, lookup }: DispatcherOptions): Dispatcher {
  const tls = ca === undefined ? {} : { ca: authorities(ca) };
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

/** The text may hold a password, so no message quotes it. @throws ArtifactError `InvalidProxy` */
function proxyUrl(text: string): string {
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

/** Node replaces its own list when it is given one, so the two are put together. */
function authorities(pem: string): string[] {
  return [...getCACertificates("default"), pem];
}
