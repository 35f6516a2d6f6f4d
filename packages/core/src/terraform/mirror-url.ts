import { asciiHostName } from "./registry-host.ts";

/** What is wrong with the URL of a provider mirror, if anything. */
export function mirrorUrlProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || url.protocol !== "https:" || !/^https:\/\//iu.test(text)) {
    return "The mirror needs an absolute URL with https.";
  }
  if (asciiHostName(url.hostname) === undefined && !/^\[[0-9a-f:.]+\]$/u.test(url.hostname)) {
    return "The URL has no valid host name.";
  }
  if (url.username !== "" || url.password !== "") {
    return "A URL is stored in clear: leave out user and password, and give the mirror's host a token in terraformrc.credentials.";
  }
  return url.search === "" && url.hash === "" ? undefined : "The URL of a mirror has no query and no fragment.";
}

/** With a slash at the end, as Terraform resolves the paths of providers against it. */
export function normalMirrorUrl(text: string): string {
  const { href } = new URL(text);
  return href.endsWith("/") ? href : `${href}/`;
}
