import { moduleAddressOf, sameOrigin, withoutCredentials } from "@rad/core/terraform";
import type { RecipeDefinition } from "@rad/radius-types";
import type { GitToken } from "@rad/terraform";

export interface GitFailureContext {
  /** Of the module of the recipe, for messages that name no address. */
  readonly source: string;
  readonly tokens: readonly GitToken[];
  /** The credentials that the address of the module has of its own. */
  readonly userInfo: RecipeDefinition["userInfo"];
}

export interface GitFailure {
  /** The cause in words, with host and secret. */
  readonly cause: string;
  /** What to do about it, as the beginning of a sentence. */
  readonly advice: string;
}

interface Found extends GitFailureContext {
  readonly text: string;
  /** The repository that git speaks of, or its host. */
  readonly url: string;
  readonly host: string;
  readonly scheme: string | undefined;
  readonly token: GitToken | undefined;
  /** Whether git sent what the address of the module has. A name alone goes with the token of the host. */
  readonly usesUserInfo: boolean;
}

/** What git prints, by cause; the first that matches. */
const causes: readonly (readonly [pattern: RegExp, explain: (found: Found, match: RegExpExecArray) => GitFailure])[] = [
  [/certificate verification failed|SSL certificate problem|unable to get local issuer/iu, untrusted],
  [/Could not resolve host|Could not resolve proxy/iu, (found) => unreachable(found, "its name is not known")],
  [
    /Failed to connect|Couldn't connect|Connection refused|Connection timed out|Operation timed out|Connection reset|No route to host|Empty reply/iu,
    (found) => unreachable(found, "it does not answer"),
  ],
  [
    /from proxy after CONNECT|CONNECT tunnel failed|Proxy CONNECT aborted/iu,
    (found) => unreachable(found, "the proxy does not get there"),
  ],
  [/could not read (?:Username|Password)|terminal prompts disabled/iu, missing],
  [/Authentication failed for|returned error: 401/iu, refused],
  [/returned error: 403/iu, forbidden],
  [
    /repository '[^']*' not found|Repository not found|returned error: 404|does not appear to be a git repository/iu,
    unknownRepository,
  ],
  [
    /pathspec '([^']*)' did not match|Remote branch (\S+) not found|couldn't find remote ref (\S+)|reference is not a tree: (\S+)|unadvertised object (\S+)/iu,
    unknownRef,
  ],
  [/unable to update url base from redirection/iu, redirected],
  [/returned error: (\d{3})/iu, answered],
];

/** Tells the causes apart why a module could not be cloned; `undefined` for what git did not say. */
export function gitFailureOf(output: string, context: GitFailureContext): GitFailure | undefined {
  // The last word counts: before it there may be a trace, which mentions much.
  const text = output.slice(Math.max(0, output.lastIndexOf("fatal: ")));
  for (const [pattern, explain] of causes) {
    const match = pattern.exec(text);
    if (match !== null) {
      return explain(foundIn(text, context), match);
    }
  }
  return undefined;
}

function foundIn(text: string, context: GitFailureContext): Found {
  // Of the line that says it; before it Terraform names the module of the recipe, which may not be the one.
  const lines = [...text.matchAll(/(?:fatal|error|remote): .*/giu)].map(([line]) => line);
  const named = lines.flatMap((line) => /'(https?:\/\/[^']+)'/u.exec(line)?.[1] ?? []).at(-1);
  const address = moduleAddressOf(named ?? "") ?? moduleAddressOf(context.source);
  const host = address?.host ?? /^[^/]+/u.exec(context.source)?.[0] ?? "";
  const token = context.tokens.find((known) => known.host === host);
  const { source, userInfo } = context;
  const isOfAddress = userInfo !== undefined && (address === undefined || sameOrigin(source, address.origin));
  return {
    ...context,
    text,
    url: withoutCredentials(named ?? source),
    host,
    scheme: address?.scheme,
    token,
    usesUserInfo: isOfAddress && (userInfo.password !== undefined || token === undefined),
  };
}

function refused(found: Found): GitFailure {
  return {
    cause: `${found.host} refused ${tokenOf(found)} (HTTP 401): it is wrong, expired or revoked`,
    advice: renewal(found),
  };
}

function forbidden(found: Found): GitFailure {
  return {
    cause: `${found.host} does not let ${tokenOf(found)} read '${found.url}' (HTTP 403)`,
    advice: "Give the token the right to read the repository",
  };
}

function missing({ host, scheme, token, usesUserInfo }: Found): GitFailure {
  if (scheme === "http" && token !== undefined && !usesUserInfo) {
    return {
      cause: `${host} asks for credentials, and a token is not sent over 'http:'`,
      advice: "Use the address that begins with 'https:'",
    };
  }
  return token === undefined && !usesUserInfo
    ? {
        cause: `${host} asks for credentials, and the environment has none for it`,
        advice: `Name a secret with the key 'pat' for '${host}' in 'authentication.git.pat' of the settings, or of 'recipeConfig.terraform'`,
      }
    : { cause: `${host} asks for credentials, and git got none that it could use`, advice: "Check the token" };
}

function unknownRepository(found: Found): GitFailure {
  const who = found.token === undefined && !found.usesUserInfo ? "it is private" : `${tokenOf(found)} may not see it`;
  return {
    cause: `there is no repository at '${found.url}', or ${who} (HTTP 404)`,
    advice: "Check the address of the module and what the token may read",
  };
}

function unknownRef({ url }: Found, match: RegExpExecArray): GitFailure {
  const ref = match.slice(1).find((text) => text !== undefined) ?? "";
  if (/^[0-9a-f]{7,64}$/iu.test(ref) && /^Remote branch/iu.test(match[0])) {
    return {
      cause: `the repository '${url}' has no branch or tag '${ref}', and 'depth' does not get commits by their id`,
      advice: "Leave out 'depth' in the address of the module",
    };
  }
  return {
    cause: `the repository '${url}' has no branch, tag or commit '${ref}'`,
    advice: "Correct 'ref' in the address of the module",
  };
}

function unreachable({ host }: Found, why: string): GitFailure {
  return {
    cause: `${host} cannot be reached: ${why}`,
    advice: "Check the address of the module, the network and the proxy of the control plane",
  };
}

function untrusted({ host }: Found): GitFailure {
  return {
    cause: `the certificate of ${host} is not trusted`,
    advice: "Name a file with its authority as SSL_CERT_FILE, in 'env' of the settings or of the control plane",
  };
}

function redirected({ host }: Found): GitFailure {
  return {
    cause: `${host} sends git to another address, and a token is not sent there`,
    advice: "Use the address that the repository has now",
  };
}

function answered({ host }: Found, [, status = ""]: RegExpExecArray): GitFailure {
  return { cause: `${host} answered with HTTP ${status}`, advice: "Try again when the host works" };
}

function tokenOf({ token, usesUserInfo }: Found): string {
  if (usesUserInfo) {
    return "the credentials in the address of the module";
  }
  return token === undefined ? "the request" : `the token of the secret '${token.secretId}'`;
}

function renewal({ token, usesUserInfo }: Found): string {
  if (token === undefined || usesUserInfo) {
    return "Register the recipe with a token that is valid";
  }
  const [type = "", name = ""] = token.secretId.split("/").slice(-2);
  return type.toLowerCase() === "secrets"
    ? `Store a new one with 'rad secret set ${name} pat'`
    : `Deploy the secret store '${name}' with a new 'pat'`;
}
