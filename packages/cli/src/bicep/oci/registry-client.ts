import { createHash } from "node:crypto";
import { CliError } from "../../cli-error.ts";
import { parseChallenge } from "./challenge.ts";
import type { Challenge } from "./challenge.ts";
import type { CredentialLookup, RegistryCredential } from "./docker-credentials.ts";

export interface RegistryClientDeps {
  readonly fetch: typeof globalThis.fetch;
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
  /** @param reference a tag or a digest. @throws CliError */
  manifest(repository: Repository, reference: string): Promise<Manifest>;
  /** A blob, checked against its digest and size. @throws CliError */
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
    const response = await this.#get(repository, url, manifestType);
    if (isRedirect(response)) {
      throw new CliError("RegistryFailed", `${repository.registry} answered with a redirect where none is allowed.`);
    }
    const bytes = await readBody(response, maxManifestBytes, url);
    const digest = sha256(bytes);
    const expected = reference.startsWith("sha256:") ? reference : response.headers.get("docker-content-digest");
    if (expected !== null && expected.startsWith("sha256:") && expected !== digest) {
      throw new CliError("DigestMismatch", `${url} has the digest ${digest} instead of ${expected}.`);
    }
    return { bytes, digest, layers: parseLayers(bytes, url) };
  }

  async blob(repository: Repository, descriptor: Descriptor): Promise<Uint8Array> {
    const url = `${baseUrl(repository)}/blobs/${descriptor.digest}`;
    if (descriptor.size > maxBlobBytes) {
      throw new CliError("ArtifactTooLarge", `${url} has ${descriptor.size} bytes; ${maxBlobBytes} are allowed.`);
    }
    let response = await this.#get(repository, url, "*/*");
    for (let hops = 0; isRedirect(response); hops += 1) {
      if (hops === maxRedirects) {
        throw new CliError("RegistryFailed", `${url} redirects more than ${maxRedirects} times.`);
      }
      const target = redirectTarget(response, url);
      await response.body?.cancel();
      // Storage behind a registry is another host, and our credentials are none of its business.
      response = await this.#fetch(target, {});
    }
    const bytes = await readBody(await succeeded(response, url), descriptor.size, url);
    if (bytes.length !== descriptor.size || sha256(bytes) !== descriptor.digest) {
      throw new CliError("DigestMismatch", `${url} is not what its manifest says: size or digest differ.`);
    }
    return bytes;
  }

  /** A successful answer or a redirect, after as much authentication as the registry asks for. */
  async #get(repository: Repository, url: string, accept: string): Promise<Response> {
    const key = `${repository.registry}/${repository.name}`;
    const known = this.#authorization.get(key);
    const first = await this.#fetch(url, { accept, ...(known === undefined ? {} : { authorization: known }) });
    if (first.status !== 401) {
      return isRedirect(first) ? first : succeeded(first, url);
    }
    const challenge = parseChallenge(first.headers.get("www-authenticate"));
    await first.body?.cancel();
    const authorization = await this.#authorize(repository, challenge);
    if (authorization === undefined) {
      throw unauthorized(repository.registry);
    }
    const second = await this.#fetch(url, { accept, authorization });
    if (second.status === 401) {
      throw unauthorized(repository.registry);
    }
    this.#authorization.set(key, authorization);
    return isRedirect(second) ? second : succeeded(second, url);
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
    const url = secureUrl(challenge.realm, repository.registry);
    const scope = `repository:${repository.name}:pull`;
    const parameters = { ...(challenge.service === undefined ? {} : { service: challenge.service }), scope };
    let response: Response;
    if (credential?.identityToken === undefined) {
      for (const [name, value] of Object.entries(parameters)) {
        url.searchParams.set(name, value);
      }
      response = await this.#fetch(url.href, credential === undefined ? {} : { authorization: basic(credential) });
    } else {
      const body = new URLSearchParams({
        ...parameters,
        grant_type: "refresh_token",
        refresh_token: credential.identityToken,
      });
      response = await this.#fetch(url.href, {}, body);
    }
    if (response.status === 401 || response.status === 403) {
      throw unauthorized(repository.registry);
    }
    const bytes = await readBody(await succeeded(response, url.origin), maxManifestBytes, url.origin);
    const answer = parseRecord(bytes);
    const token = answer?.["token"] ?? answer?.["access_token"];
    if (typeof token !== "string" || !/^[\x21-\x7e]+$/u.test(token)) {
      throw new CliError("RegistryFailed", `${url.origin} gave no token for ${repository.registry}.`);
    }
    return token;
  }

  async #fetch(url: string, headers: Readonly<Record<string, string>>, body?: URLSearchParams): Promise<Response> {
    const { fetch, signal, timeoutMs = defaultTimeoutMs } = this.#deps;
    try {
      return await fetch(url, {
        headers,
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        ...(body === undefined ? {} : { method: "POST", body }),
      });
    } catch (error) {
      signal.throwIfAborted();
      const host = new URL(url).host;
      throw new CliError("RegistryUnreachable", `${host} cannot be reached (${reasonOf(error)}).`, { cause: error });
    }
  }
}

/** Plain HTTP is for registries on this machine only. */
function baseUrl({ registry, name }: Repository): string {
  const host = registry === "docker.io" ? "registry-1.docker.io" : registry;
  return `${isLoopback(host) ? "http" : "https"}://${host}/v2/${name}`;
}

function isLoopback(host: string): boolean {
  const name = host.replace(/:[0-9]+$/u, "");
  return name === "localhost" || name === "[::1]" || /^127(?:\.[0-9]{1,3}){3}$/u.test(name);
}

/** A URL that a registry names; credentials travel in the open to nobody but this machine. */
function secureUrl(text: string, registry: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !(url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.host)))) {
    throw new CliError("RegistryFailed", `${registry} names a place that is not reached by https.`);
  }
  return url;
}

function redirectTarget(response: Response, url: string): string {
  const location = response.headers.get("location");
  const target = location !== null && URL.canParse(location, url) ? new URL(location, url).href : "";
  return secureUrl(target, new URL(url).host).href;
}

function isRedirect(response: Response): boolean {
  return [301, 302, 303, 307, 308].includes(response.status);
}

async function succeeded(response: Response, url: string): Promise<Response> {
  if (response.ok) {
    return response;
  }
  await response.body?.cancel();
  if (response.status === 404) {
    throw new CliError("ArtifactNotFound", `${url} does not exist.`);
  }
  if (response.status === 401 || response.status === 403) {
    throw unauthorized(new URL(url).host);
  }
  throw new CliError("RegistryFailed", `${url} answered with status ${response.status}.`);
}

function unauthorized(registry: string): CliError {
  return new CliError(
    "RegistryUnauthorized",
    `${registry} does not let us in. Log in with \`docker login ${registry}\`, which writes the credentials file that rad reads.`,
  );
}

/** Reads a body of at most `maxBytes`, whatever its headers say. */
async function readBody(response: Response, maxBytes: number, url: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.length;
      if (length > maxBytes) {
        break;
      }
      chunks.push(chunk);
    }
  } catch (error) {
    throw new CliError("RegistryUnreachable", `${url} broke off (${reasonOf(error)}).`, { cause: error });
  }
  if (length > maxBytes) {
    throw new CliError("ArtifactTooLarge", `${url} sends more than the ${maxBytes} bytes that are expected.`);
  }
  return Buffer.concat(chunks);
}

function parseLayers(bytes: Uint8Array, url: string): readonly Descriptor[] {
  const layers = parseRecord(bytes)?.["layers"];
  if (!Array.isArray(layers)) {
    throw new CliError("ArtifactInvalid", `${url} is no manifest of an artifact.`);
  }
  return layers.map((layer: unknown) => {
    const { mediaType, digest, size } = (layer ?? {}) as Partial<Descriptor>;
    const isValid =
      typeof mediaType === "string" &&
      typeof digest === "string" &&
      /^sha256:[0-9a-f]{64}$/u.test(digest) &&
      Number.isSafeInteger(size);
    if (!isValid) {
      throw new CliError("ArtifactInvalid", `${url} has a layer that is not valid.`);
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

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") {
    return cause.code;
  }
  return error instanceof Error ? error.name : "unknown error";
}
