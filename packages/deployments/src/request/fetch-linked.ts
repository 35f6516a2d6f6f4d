import { ArtifactError } from "@rad/artifacts";
import { createNetwork, displayUrl, fetchBytes, isLoopbackHost, isSuccess } from "@rad/artifacts/download";
import type { Answer } from "@rad/artifacts/download";
import type { LinkRules } from "./content-link.ts";
import { invalidLink } from "./invalid-link.ts";

const maxBytes = 4 << 20;
const timeoutMs = 20_000;
const maxRedirects = 5;

/** The text behind a link, within bounds. @throws ApiError `InvalidContentLink` */
export async function fetchLinked(url: URL, path: string, { linkHosts, signal }: LinkRules): Promise<string> {
  if (url.username !== "" || url.password !== "") {
    throw invalidLink(path, `"${path}.uri" must not hold a user name or a password.`);
  }
  // Templates are not fetched from this machine unless they are said to be there.
  const network = createNetwork({ addresses: isLoopbackHost(url.hostname) ? "loopback" : "private" });
  const limits = { hosts: linkHosts, totalMs: timeoutMs, maxBytes, signal };
  let answer: Answer;
  try {
    answer = await fetchBytes(network, { url, redirects: { max: maxRedirects, to: "sameHost" }, ...limits });
  } catch (error) {
    throw error instanceof ArtifactError ? invalidLink(path, whyNot(error, url, path), error) : error;
  }
  if (!isSuccess(answer.status)) {
    throw invalidLink(path, `${displayUrl(url)} answered with status ${answer.status}.`);
  }
  return new TextDecoder().decode(answer.bytes);
}

function whyNot(error: ArtifactError, url: URL, path: string): string {
  switch (error.code) {
    case "HostRefused":
      return `"${path}" names the host "${url.host}", which the configuration does not allow templates to be fetched from.`;
    case "InvalidUrl":
      return `${displayUrl(url)} must be fetched by https.`;
    case "Unreachable":
    case "Interrupted":
    case "TimedOut":
    case "CertificateRefused":
      return `${displayUrl(url)} cannot be read.`;
    default:
      return error.message;
  }
}
