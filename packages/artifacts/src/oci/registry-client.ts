import { createHash } from "node:crypto";
import { ArtifactError } from "../artifact-error.ts";
import { isLoopbackHost, isSuccess } from "../download/index.ts";
import type { Answer, BytesRequest } from "../download/index.ts";
import { parseChallenge } from "./challenge.ts";
import type { Challenge } from "./challenge.ts";
import type { CredentialLookup, RegistryCredential } from "./docker-credentials.ts";

export interface RegistryClientDeps {
  /** `fetchBytes` over a network of the caller's choice. */
  readonly fetch: (request: BytesRequest) => Promise<Answer>;
  readonly credentials: CredentialLookup;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/** One repository of a registry that speaks the OCI distribution protocol. */
interface Repository {
  readonly registry: string;
  readonly name: string;
}

interface Manifest {
  /** As it was sent: its digest is over these bytes. */
  readonly bytes: Uint8Array;
  readonly digest: string;
  readonly layers: readonly Descriptor[];
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

export interface RegistryClient {
  /** @param reference a tag or a digest. @throws ArtifactError */
  manifest(repository: Repository, reference: string): Promise<Manifest>;
  /** A blob, checked against its digest and size. @throws ArtifactError */
  blob(repository: Repository, descriptor: Descriptor): Promise<Uint8Array>;
}

const maxManifestBytes = 4 * 1024 * 1024;
const maxBlobBytes = 64 * 1024 * 1024;
const maxRedirects = 5;
const defaultTimeoutMs = 30_000;
const manifestType = "application/vnd.oci.image.manifest.v1+json";

export function createRegistryClient(deps: RegistryClientDeps): RegistryClient {
  return new Client(deps);
}

class Client implements RegistryClient {
  readonly #deps: RegistryClientDeps;
  /** The header that a repository accepted last. */
  readonly #authorization = new Map<string, string>();

  constructor(deps: RegistryClientDeps) {
    this.#deps = deps;
  }

  async manifest(repository: Repository, reference: string): Promise<Manifest> {
    const url = `${baseUrl(repository)}/manifests/${reference}`;
    const { bytes, headers } = await this.#get(repository, { url, accept: manifestType, maxBytes: maxManifestBytes });
    const digest = sha256(bytes);
    const expected = reference.startsWith("sha256:") ? reference : headers["docker-content-digest"];
    if (expected !== undefined && expected.startsWith("sha256:") && expected !== digest) {
      throw new ArtifactError("DigestMismatch", `${url} has the digest ${digest} instead of ${expected}.`);
    }
    return { bytes, digest, layers: parseLayers(bytes, url) };
  }

  async blob(repository: Repository, descriptor: Descriptor): Promise<Uint8Array> {
    const url = `${baseUrl(repository)}/blobs/${descriptor.digest}`;
    const { size, digest } = descriptor;
    if (size > maxBlobBytes) {
      throw new ArtifactError("ArtifactTooLarge", `${url} has ${size} bytes; ${maxBlobBytes} are allowed.`);
    }
    // Storage behind a registry is another host, which does not get to see our credentials.
    const redirects = { max: maxRedirects, to: "anyHost" } as const;
    const { bytes } = await this.#get(repository, { url, accept: "*/*", maxBytes: size, redirects });
    if (bytes.length !== size || sha256(bytes) !== digest) {
      throw new ArtifactError("DigestMismatch", `${url} is not what its manifest says: size or digest differ.`);
    }
    return bytes;
  }

  /** A successful answer, after as much authentication as the registry asks for. */
  async #get(repository: Repository, request: Get): Promise<Answer> {
    const { url, accept, ...limits } = request;
    const key = `${repository.registry}/${repository.name}`;
    const known = this.#authorization.get(key);
    const first = await this.#fetch({
      url,
      headers: { accept, ...(known === undefined ? {} : { authorization: known }) },
      ...limits,
    });
    // What storage behind the registry asks for is no reason to show our credentials to anybody.
    if (first.status !== 401 || first.url.origin !== new URL(url).origin) {
      return succeeded(first, url);
    }
    const authorization = await this.#authorize(repository, parseChallenge(first.headers["www-authenticate"]));
    if (authorization === undefined) {
      throw unauthorized(repository.registry);
    }
    const second = await this.#fetch({ url, headers: { accept, authorization }, ...limits });
    if (second.status === 401) {
      throw unauthorized(repository.registry);
    }
    this.#authorization.set(key, authorization);
    return succeeded(second, url);
  }

  async #authorize(repository: Repository, challenge: Challenge | undefined): Promise<string | undefined> {
    const credential = await this.#deps.credentials(repository.registry);
    if (challenge?.scheme === "bearer") {
      return `Bearer ${await this.#token(repository, challenge, credential)}`;
    }
    return challenge?.scheme === "basic" && credential !== undefined ? basic(credential) : undefined;
  }

  async #token(
    repository: Repository,
    challenge: Challenge & { readonly scheme: "bearer" },
    credential: RegistryCredential | undefined,
  ): Promise<string> {
    const url = secureUrl(challenge.realm, repository);
    const scope = `repository:${repository.name}:pull`;
    const parameters = { ...(challenge.service === undefined ? {} : { service: challenge.service }), scope };
    const answer = await this.#fetch({ maxBytes: maxManifestBytes, ...tokenRequest(url, parameters, credential) });
    if (answer.status === 401 || answer.status === 403) {
      throw unauthorized(repository.registry);
    }
    const fields = parseRecord(succeeded(answer, url.origin).bytes);
    const token = fields?.["token"] ?? fields?.["access_token"];
    if (typeof token !== "string" || !/^[\x21-\x7e]+$/u.test(token)) {
      throw new ArtifactError("RegistryFailed", `${url.origin} gave no token for ${repository.registry}.`);
    }
    return token;
  }

  async #fetch(request: Omit<BytesRequest, "totalMs">): Promise<Answer> {
    const { fetch, signal, timeoutMs = defaultTimeoutMs } = this.#deps;
    try {
      return await fetch({ ...request, totalMs: timeoutMs, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof ArtifactError ? registryError(error, URL.parse(request.url)) : error;
    }
  }
}

type Get = Pick<BytesRequest, "maxBytes" | "redirects"> & { readonly url: string; readonly accept: string };

/** By name and password, or with a refresh token, which is never part of a URL. */
function tokenRequest(
  url: URL,
  parameters: Readonly<Record<string, string>>,
  credential: RegistryCredential | undefined,
): Pick<BytesRequest, "url" | "headers" | "form"> {
  if (credential?.identityToken !== undefined) {
    const exchange = { grant_type: "refresh_token", refresh_token: credential.identityToken };
    return { url, form: new URLSearchParams({ ...parameters, ...exchange }) };
  }
  for (const [name, value] of Object.entries(parameters)) {
    url.searchParams.set(name, value);
  }
  return { url, headers: credential === undefined ? {} : { authorization: basic(credential) } };
}

/** What went wrong on the way to a registry, in its own words. */
function registryError(error: ArtifactError, url: URL | null): ArtifactError {
  const { code, message, reason = code } = error;
  switch (code) {
    case "TooLarge":
      return new ArtifactError("ArtifactTooLarge", message);
    case "Unreachable":
    case "TimedOut":
      return new ArtifactError("RegistryUnreachable", `${url?.host ?? "The registry"} cannot be reached (${reason}).`, {
        reason,
      });
    case "Interrupted":
    case "CertificateRefused":
      return new ArtifactError("RegistryUnreachable", message, { reason });
    default:
      return new ArtifactError("RegistryFailed", message);
  }
}

/** Plain HTTP is for registries on this machine only. */
function baseUrl({ registry, name }: Repository): string {
  const host = registry === "docker.io" ? "registry-1.docker.io" : registry;
  return `${isLoopbackHost(URL.parse(`http://${host}`)?.hostname ?? "") ? "http" : "https"}://${host}/v2/${name}`;
}

/**
 * A URL that a registry names. Credentials travel in the open to nobody but this machine, and a registry elsewhere has
 * nothing to ask for there.
 */
function secureUrl(text: string, repository: Repository): URL {
  const url = URL.parse(text);
  const isLocal = url?.protocol === "http:" && isLoopbackHost(url.hostname) && baseUrl(repository).startsWith("http:");
  if (url === null || (url.protocol !== "https:" && !isLocal)) {
    throw new ArtifactError("RegistryFailed", `${repository.registry} names a place that is not reached by https.`);
  }
  return url;
}

function succeeded(answer: Answer, url: string): Answer {
  const { status } = answer;
  if (isSuccess(status)) {
    return answer;
  }
  if (status === 404) {
    throw new ArtifactError("ArtifactNotFound", `${url} does not exist.`, { status });
  }
  if (status === 401 || status === 403) {
    throw unauthorized(new URL(url).host);
  }
  throw new ArtifactError("RegistryFailed", `${url} answered with status ${status}.`, { status });
}

function unauthorized(registry: string): ArtifactError {
  return new ArtifactError(
    "RegistryUnauthorized",
    `${registry} does not let us in. Log in with \`docker login ${registry}\`, which writes the credentials file that rad reads.`,
  );
}

function parseLayers(bytes: Uint8Array, url: string): readonly Descriptor[] {
  const layers = parseRecord(bytes)?.["layers"];
  if (!Array.isArray(layers)) {
    throw new ArtifactError("ArtifactInvalid", `${url} is no manifest of an artifact.`);
  }
  return layers.map((layer: unknown) => {
    const { mediaType, digest, size } = (layer ?? {}) as Partial<Descriptor>;
    const isValid =
      typeof mediaType === "string" &&
      typeof digest === "string" &&
      /^sha256:[0-9a-f]{64}$/u.test(digest) &&
      Number.isSafeInteger(size) &&
      Number(size) >= 0;
    if (!isValid) {
      throw new ArtifactError("ArtifactInvalid", `${url} has a layer that is not valid.`);
    }
    return { mediaType, digest, size: Number(size) };
  });
}

function parseRecord(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

function basic({ username, password }: RegistryCredential): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
