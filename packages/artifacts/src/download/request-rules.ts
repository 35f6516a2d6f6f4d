import { ArtifactError } from "../artifact-error.ts";

/** Which servers may be asked. */
export interface UrlRules {
  /** Host names; one without a port stands for all its ports. Without a list every host may be asked. */
  readonly hosts?: readonly string[] | undefined;
  /** Whether http may be used to reach this machine only, which is the default, anybody, or nobody. */
  readonly plainHttp?: "never" | "loopback" | "anywhere";
}

export interface RedirectRules {
  readonly max: number;
  /** Where redirects may lead. From https to http they never may. */
  readonly to: "sameHost" | "anyHost";
}

/** @throws ArtifactError `InvalidUrl`, `HostRefused`, `InsecureUrl` */
export function checkUrl(url: URL, rules: UrlRules): void {
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new ArtifactError("InvalidUrl", "Only http and https URLs can be downloaded.");
  }
  const { hosts } = rules;
  if (hosts !== undefined && !hosts.some((host) => [url.host, url.hostname].includes(host.toLowerCase()))) {
    throw new ArtifactError("HostRefused", `${url.host} is not among the hosts that may be asked.`);
  }
  if (url.protocol === "http:" && !isPlainHttpAllowed(url, rules.plainHttp)) {
    throw new ArtifactError("InsecureUrl", `${displayUrl(url)} must be fetched by https.`);
  }
}

function isPlainHttpAllowed({ hostname }: URL, rule: UrlRules["plainHttp"] = "loopback"): boolean {
  return rule === "anywhere" || (rule === "loopback" && isLoopbackHost(hostname));
}

/**
 * Where an answer with status 3xx sends us.
 * @throws ArtifactError `RedirectRefused`, `InsecureRedirect`, `TooManyRedirects`
 */
export function redirectTarget(from: URL, location: string, rules: RedirectRules | undefined, redirects: number): URL {
  if (rules === undefined) {
    throw new ArtifactError("RedirectRefused", `${displayUrl(from)} answered with a redirect where none is allowed.`);
  }
  if (redirects >= rules.max) {
    throw new ArtifactError("TooManyRedirects", `${displayUrl(from)} redirects more than ${rules.max} times.`);
  }
  const to = URL.parse(location, from);
  if (to === null || (to.protocol !== "https:" && to.protocol !== "http:")) {
    throw new ArtifactError("RedirectRefused", `${displayUrl(from)} redirects to something that is no URL.`);
  }
  if (from.protocol === "https:" && to.protocol === "http:") {
    throw new ArtifactError("InsecureRedirect", `${displayUrl(from)} redirects from https to http.`);
  }
  if (rules.to === "sameHost" && to.host !== from.host) {
    throw new ArtifactError("RedirectRefused", `${displayUrl(from)} redirects to another host.`);
  }
  return to;
}

/** Whether a host, as URLs write it, is this machine without anybody being asked for its address. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.[0-9]{1,3}){3}$/u.test(hostname);
}

/** A URL for messages: who asks and the query may be secrets. */
export function displayUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
