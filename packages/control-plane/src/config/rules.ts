import { localAdmin } from "@rad/resources/requests";
import { builtInRoles, proxyPrefix, tokenPrefix } from "../identity-rules/names.ts";
import { isLoopbackHost } from "./checks.ts";
import type { Place } from "./place.ts";

/** Rules over several keys. A member is missing when it has a problem of its own, which is reported already. */

interface Listener {
  readonly host?: string;
  readonly tlsCertificateDirectory?: string | undefined;
  readonly loopbackTls?: { readonly port: number | undefined };
}

export function checkListener({ host, tlsCertificateDirectory, loopbackTls }: Listener, place: Place): void {
  if (tlsCertificateDirectory !== undefined && loopbackTls?.port !== undefined) {
    place
      .member("loopbackTls")
      .member("port")
      .problem("has no meaning with server.tlsCertificateDirectory: the API itself speaks TLS then");
  }
  if (host !== undefined && !isLoopbackHost(host) && tlsCertificateDirectory === undefined) {
    place
      .member("host")
      .problem(
        "is not a loopback address, and tokens must not cross a network in clear text: set server.tlsCertificateDirectory",
      );
  }
}

interface Prometheus {
  readonly port?: number | undefined;
  readonly anonymous?: boolean;
}

export function checkPrometheus({ port, anonymous }: Prometheus, place: Place): void {
  if (anonymous === true && port === undefined) {
    place.member("anonymous").problem("needs a port of its own: the API's port is never open to anybody");
  }
}

interface Database {
  readonly provider?: string;
  readonly postgresql?: {
    readonly url: string | undefined;
    readonly preparedStatements?: boolean | undefined;
    readonly listenUrl?: string | undefined;
  };
}

export function checkDatabase({ provider, postgresql }: Database, place: Place): void {
  if (provider === "postgresql" && postgresql !== undefined && postgresql.url === undefined) {
    place.member("postgresql").member("url").problem("is required when the provider is postgresql");
  }
  if (postgresql?.preparedStatements === false && postgresql.listenUrl === undefined) {
    place
      .member("postgresql")
      .member("listenUrl")
      .problem("is required without prepared statements: a pooler passes no notifications on");
  }
}

interface Kubernetes {
  readonly kubeConfig?: string | undefined;
  readonly context?: string | undefined;
  readonly inCluster?: boolean;
  readonly manifests?: string | undefined;
}

export function checkKubernetes({ kubeConfig, context, inCluster, manifests }: Kubernetes, place: Place): void {
  if (inCluster === true && kubeConfig !== undefined) {
    place.member("inCluster").problem("has no meaning with kubernetes.kubeConfig, which names a cluster already");
  }
  if (manifests !== undefined && (kubeConfig !== undefined || inCluster === true)) {
    place.member("manifests").problem("has no meaning with a cluster: objects go to one place only");
  }
  if (context !== undefined && kubeConfig === undefined) {
    place.member("context").problem("needs kubernetes.kubeConfig, the file that has the context");
  }
}

interface Authentication {
  readonly bootstrapTokenFile?: string | undefined;
  readonly tokens?: readonly { readonly name: string; readonly sha256: string }[];
  readonly oidc?: readonly { readonly issuer: string; readonly prefix: string }[];
}

export function checkAuthentication({ tokens = [], oidc = [] }: Authentication, place: Place): void {
  const tokenPlaces = place.member("tokens");
  reportRepeats(
    tokenPlaces,
    "name",
    tokens.map((token) => token.name),
  );
  reportRepeats(
    tokenPlaces,
    "sha256",
    tokens.map((token) => token.sha256.toLowerCase()),
  );
  const issuerPlaces = place.member("oidc");
  reportRepeats(
    issuerPlaces,
    "issuer",
    oidc.map((issuer) => issuer.issuer),
  );
  reportRepeats(
    issuerPlaces,
    "prefix",
    oidc.map((issuer) => issuer.prefix.toLowerCase()),
  );
  for (const [index, { prefix }] of oidc.entries()) {
    if ([tokenPrefix, proxyPrefix].includes(prefix.toLowerCase())) {
      issuerPlaces.items?.[index]?.member("prefix").problem("is taken by another kind of caller");
    }
  }
}

interface Assignment {
  readonly subject?: string | undefined;
  readonly group?: string | undefined;
}

export function checkAssignment({ subject, group }: Assignment, place: Place): void {
  if ((subject === undefined) === (group === undefined)) {
    place.problem("needs either a subject or a group");
  }
}

interface Authorization {
  readonly roles?: readonly { readonly name: string }[];
  readonly assignments?: readonly { readonly role: string }[];
}

export function checkRoles({ roles, assignments = [] }: Authorization, place: Place): void {
  if (roles === undefined) {
    return;
  }
  const rolePlaces = place.member("roles");
  const own = roles.map((role) => role.name.toLowerCase());
  reportRepeats(rolePlaces, "name", own);
  for (const [index, name] of own.entries()) {
    if (builtInRoles.has(name)) {
      rolePlaces.items?.[index]?.member("name").problem("is the name of a built-in role");
    }
  }
  for (const [index, { role }] of assignments.entries()) {
    const name = role.toLowerCase();
    if (!builtInRoles.has(name) && !own.includes(name)) {
      const known = [...builtInRoles.keys(), ...own].join(", ");
      place.member("assignments").items?.[index]?.member("role").problem(`is not a role; there are ${known}`);
    }
  }
}

interface Root {
  readonly server?: Listener;
  readonly databaseProvider?: Database;
  readonly encryption?: { readonly keyFile: string | undefined };
  readonly authentication?: Authentication & { readonly frontProxy: object | undefined };
  readonly authorization?: { readonly assignments: readonly Assignment[] };
}

export function checkTogether(config: Root, place: Place): void {
  const { server, databaseProvider, encryption, authentication, authorization } = config;
  if (databaseProvider?.provider === "postgresql" && encryption !== undefined && encryption.keyFile === undefined) {
    place.member("encryption").member("keyFile").problem("is required when databaseProvider.provider is postgresql");
  }
  const proxied = authentication?.frontProxy !== undefined;
  if (proxied && server !== undefined && server.tlsCertificateDirectory === undefined) {
    place
      .member("authentication")
      .member("frontProxy")
      .problem("needs server.tlsCertificateDirectory: without TLS there is no client certificate to check");
  }
  if (databaseProvider?.provider !== undefined && authentication !== undefined) {
    checkFirstCaller(databaseProvider.provider, authentication, place.member("authentication"));
  }
  if (authentication !== undefined && authorization !== undefined) {
    const sources = callerSources(authentication, proxied);
    const places = place.member("authorization").member("assignments").items ?? [];
    for (const [index, { subject, group }] of authorization.assignments.entries()) {
      checkReachable(sources, subject, places[index]?.member("subject"));
      checkReachable({ ...sources, exact: [] }, group, places[index]?.member("group"));
    }
  }
}

/** SQLite's folder has a token from the first start on; elsewhere somebody has to be let in by the configuration. */
function checkFirstCaller(provider: string, authentication: NonNullable<Root["authentication"]>, place: Place): void {
  const { bootstrapTokenFile, tokens = [], oidc = [], frontProxy } = authentication;
  if (provider === "sqlite" && bootstrapTokenFile !== undefined) {
    place
      .member("bootstrapTokenFile")
      .problem("has no meaning with sqlite, whose folder has a token from the first start on");
  }
  const isClosed =
    bootstrapTokenFile === undefined && tokens.length === 0 && oidc.length === 0 && frontProxy === undefined;
  if (provider === "postgresql" && isClosed) {
    place.problem(
      "lets nobody call this server: name a file for its first token with bootstrapTokenFile, or configure tokens, oidc or frontProxy",
    );
  }
}

interface CallerSources {
  readonly exact: readonly string[];
  readonly prefixes: readonly string[];
}

function callerSources({ tokens = [], oidc = [] }: Authentication, proxied: boolean): CallerSources {
  return {
    exact: [localAdmin, ...tokens.map((token) => `${tokenPrefix}${token.name}`)],
    prefixes: [...oidc.map((issuer) => issuer.prefix), ...(proxied ? [proxyPrefix] : [])],
  };
}

/** An assignment that no caller can ever match is a spelling mistake, and would be found out as a refusal much later. */
function checkReachable(sources: CallerSources, name: string | undefined, place: Place | undefined): void {
  if (name === undefined || sources.exact.includes(name)) {
    return;
  }
  if (!sources.prefixes.some((prefix) => name.startsWith(prefix) && name.length > prefix.length)) {
    const prefixed = sources.prefixes.map((prefix) => `${prefix}…`);
    const known = [...sources.exact, ...prefixed].join(", ");
    place?.problem(`matches no caller; ${known === "" ? "nothing here has groups" : `there are ${known}`}`);
  }
}

function reportRepeats(list: Place, member: string, values: readonly string[]): void {
  for (const [index, value] of values.entries()) {
    if (values.indexOf(value) < index) {
      list.items?.[index]?.member(member).problem("is the same as that of an earlier entry");
    }
  }
}
