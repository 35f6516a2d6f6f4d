import { asciiHostName } from "./registry-host.ts";
import { type AddressParameter, hidden, isHidden, isSecretParameter, parametersOf } from "./without-credentials.ts";

/** The source of a module that is fetched over HTTP or HTTPS. */
export interface ModuleAddress {
  /** What is written before `::`, such as `git`. */
  readonly forced: string | undefined;
  readonly scheme: "http" | "https";
  /** As it is written before `@`. */
  readonly userInfo: string | undefined;
  /** Such as `https://git.example:8443`, in the form that origins are compared in. */
  readonly origin: string;
  /** `origin` without the scheme. */
  readonly host: string;
  /** As the source spells it. */
  readonly authority: string;
  /** Path, subdirectory and query. */
  readonly rest: string;
}

/** A user, or a user and a password or token. */
export interface UserInfo {
  readonly username: string;
  readonly password?: string;
}

/** What Terraform unpacks; a query `archive=zip` says the same. */
const archive = /\.(?:zip|tgz|tbz2|txz|tzst|gz|bz2|xz|zst|tar|tar\.(?:gz|bz2|xz|zst))$/iu;
/** Terraform knows these without a scheme, and uses Git over HTTPS for them. */
const forge = /^(?:github\.com|bitbucket\.org)\/[^/?]+\/[^/?]/u;

/** `undefined` for sources of another kind: registries, SSH, buckets, paths. */
export function moduleAddressOf(source: string): ModuleAddress | undefined {
  const [, forced, protocol = "", before = "", rest = ""] =
    /^(?:([a-z0-9]+)::)?(https?):\/\/([^/?#]*)(.*)$/isu.exec(source) ?? [];
  const scheme = protocol.toLowerCase();
  if (scheme !== "http" && scheme !== "https") {
    return undefined;
  }
  const at = before.lastIndexOf("@");
  const authority = before.slice(at + 1);
  const [, name = "", port] = /^(.*?)(?::(\d{0,5}))?$/su.exec(authority) ?? [];
  const defaultPort = scheme === "https" ? "443" : "80";
  const isDefault = port === undefined || port === "" || Number(port) === Number(defaultPort);
  const host = `${asciiHostName(name) ?? name.toLowerCase()}${isDefault ? "" : `:${Number(port)}`}`;
  return {
    forced: forced?.toLowerCase(),
    scheme,
    userInfo: at < 0 ? undefined : before.slice(0, at),
    origin: `${scheme}://${host}`,
    host,
    authority,
    rest,
  };
}

/** A source as everybody sees it, and the credentials that it has. */
export interface SplitSource {
  /** With `***` for each of them. */
  readonly shown: string;
  readonly userInfo?: UserInfo;
  /** Parameters of the query that are credentials, such as `sshkey`. */
  readonly secretQuery?: readonly AddressParameter[];
}

/** Takes credentials out of a source. */
export function splitCredentials(source: string): SplitSource {
  const { shown, userInfo } = splitUserInfo(source);
  const secretQuery = parametersOf(source).filter(
    (parameter) => isSecretParameter(parameter.name) && parameter.value !== "" && !isHidden(parameter),
  );
  return {
    shown: mapQuery(shown, (parameter) => (secretQuery.some(isSame(parameter)) ? hidden : parameter.value)),
    ...(userInfo === undefined ? {} : { userInfo }),
    ...(secretQuery.length === 0 ? {} : { secretQuery }),
  };
}

/** The source with the parameters that are hidden in it. Those that are not given stay hidden. */
export function withSecretQuery(source: string, secretQuery: readonly AddressParameter[]): string {
  const left = [...secretQuery];
  return mapQuery(source, (parameter) => {
    const at = isHidden(parameter) ? left.findIndex(({ name }) => name === parameter.name) : -1;
    return left.splice(at, at < 0 ? 0 : 1)[0]?.value ?? parameter.value;
  });
}

/**
 * The source with the credentials that are hidden in it, taken from `kept`, the same source or another one of its server.
 * `undefined` if it is on another server, or hides something that `kept` does not have.
 */
export function withHidden(source: string, kept: string): string | undefined {
  const isSamePlace = sameOrigin(kept, source) || beforeQuery(kept) === beforeQuery(source);
  const whole = withSecretQuery(source, parametersOf(kept));
  if (!isSamePlace || parametersOf(whole).some(isHidden)) {
    return undefined;
  }
  const address = moduleAddressOf(whole);
  if (address?.userInfo !== hidden) {
    return whole;
  }
  const userInfo = moduleAddressOf(kept)?.userInfo;
  return userInfo === undefined ? undefined : written(address, userInfo);
}

/**
 * A user without a password may be a token, except where the path begins with the same name, as in
 * `https://org@dev.azure.com/org/…`.
 */
function splitUserInfo(source: string): Pick<SplitSource, "shown" | "userInfo"> {
  const address = moduleAddressOf(source);
  const { userInfo, rest = "" } = address ?? {};
  if (address === undefined || userInfo === undefined || userInfo === hidden) {
    return { shown: source };
  }
  const colon = userInfo.indexOf(":");
  const username = decoded(colon < 0 ? userInfo : userInfo.slice(0, colon));
  const isName = colon < 0 && rest.split(/[/?#]/u)[1]?.toLowerCase() === username.toLowerCase();
  if (isName) {
    return { shown: source };
  }
  return {
    shown: written(address, hidden),
    userInfo: { username, ...(colon < 0 ? {} : { password: decoded(userInfo.slice(colon + 1)) }) },
  };
}

/** The source with these credentials, or with none, in place of those that it has or that are hidden in it. */
export function withUserInfo(source: string, userInfo: UserInfo | undefined): string {
  const address = moduleAddressOf(source);
  if (address === undefined) {
    return source;
  }
  if (userInfo === undefined) {
    return written(address, undefined);
  }
  const { username, password } = userInfo;
  const text = [username, ...(password === undefined ? [] : [password])].map((part) => encodeURIComponent(part));
  return written(address, text.join(":"));
}

const userInfoOfOthers = /^(?:[a-z0-9]+::)?(?!https?:)[a-z][a-z0-9+.-]*:\/\/([^/?#]*)@/iu;

/** What is wrong with the address of a module, if anything can be told. Never repeats it. */
export function moduleAddressProblem(source: string): string | undefined {
  if (userInfoOfOthers.exec(source)?.[1]?.includes(":")) {
    return "The address of the module has a password that nothing uses: only 'https://' takes one. Leave it out.";
  }
  const address = moduleAddressOf(source);
  const isHost = address === undefined || /^(?:[^:]+|\[[0-9a-f:.]+\])(?::\d+)?$/iu.test(address.host);
  return isHost
    ? undefined
    : "The address of the module has no host that can be read. In a user name or a token write '/', '?' and '#' as %2F, %3F and %23.";
}

/** Whether two sources are on one host, on the same port and by the same protocol. */
export function sameOrigin(one: string, other: string): boolean {
  const origin = moduleAddressOf(one)?.origin;
  return origin !== undefined && origin === moduleAddressOf(other)?.origin;
}

/**
 * A source as Terraform takes it. Without `git::` it would make an HTTP request for `https://host/…`: on hosts that have a
 * token the source is a repository, unless it is an archive; elsewhere if it ends in `.git`.
 * @param hosts those with a token, as `httpsHost` writes them
 */
export function gitSourceOf(source: string, hosts: ReadonlySet<string>): string {
  const address = moduleAddressOf(source);
  if (address === undefined || address.forced !== undefined || isArchive(address)) {
    return source;
  }
  const isKnown = address.scheme === "https" && hosts.has(address.host);
  return isKnown || pathOf(address).endsWith(".git") ? `git::${source}` : source;
}

/** For a version beside such a source. */
export const gitVersionProblem =
  "A module from a Git repository has no version: name the tag, branch or commit in its address, with '?ref='.";

/** Whether Terraform gets the module with Git. */
export function isGitSource(source: string, hosts: ReadonlySet<string>): boolean {
  return /^git(?:::|@)/iu.test(source) || forge.test(source) || gitSourceOf(source, hosts) !== source;
}

function isArchive(address: ModuleAddress): boolean {
  return archive.test(pathOf(address)) || /[?&]archive=(?!false\b)/u.test(address.rest);
}

/** Without subdirectory and query. */
function pathOf({ rest }: ModuleAddress): string {
  const [path = ""] = rest.split(/[?#]/u);
  const subdirectory = path.indexOf("//");
  return subdirectory < 0 ? path : path.slice(0, subdirectory);
}

function written({ forced, scheme, authority, rest }: ModuleAddress, userInfo: string | undefined): string {
  const user = userInfo === undefined ? "" : `${userInfo}@`;
  return `${forced === undefined ? "" : `${forced}::`}${scheme}://${user}${authority}${rest}`;
}

function mapQuery(source: string, map: (parameter: AddressParameter) => string): string {
  const [, before = source, query, after = ""] = /^([^?#]*\?)([^#]*)(.*)$/su.exec(source) ?? [];
  const mapped = query?.split("&").map((part) => {
    const [parameter] = parametersOf(`?${part}`);
    return parameter === undefined ? part : `${parameter.name}=${map(parameter)}`;
  });
  return `${before}${mapped?.join("&") ?? ""}${after}`;
}

function isSame({ name, value }: AddressParameter): (other: AddressParameter) => boolean {
  return (other) => other.name === name && other.value === value;
}

function beforeQuery(source: string): string {
  return source.split("?", 1)[0] ?? "";
}

/** People also write tokens with special characters as they are. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
