import { hash } from "node:crypto";
import type { Clock, Logger } from "@rad/core";
import type { AuthenticationConfig } from "../config/index.ts";
import type { AuthRequest } from "./auth-request.ts";
import type { FetchJson } from "./fetch-json.ts";
import { type Caller, localAdmin } from "@rad/resources/requests";
import { createFrontProxy } from "./front-proxy.ts";
import { LruCache } from "./lru-cache.ts";
import { tokenPrefix } from "../identity-rules/names.ts";
import type { TokenVerifier, VerifiedToken } from "./token-verifier.ts";
import { refused } from "./refused.ts";

export interface AuthenticatorOptions {
  readonly config: AuthenticationConfig;
  /** Why a token that is not known cannot be refused yet; `undefined` when it can. */
  readonly undecided?: () => Error | undefined;
  readonly fetchJson?: FetchJson;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Authenticator {
  /** @throws ApiError `InvalidAuthenticationInfo` in one line that holds nothing of the credentials. */
  authenticate(request: AuthRequest): Promise<Caller>;
  /** Hash of the token whose holder is `local-admin`, instead of the one before. */
  setLocalToken(sha256: string): void;
}

interface CachedToken extends VerifiedToken {
  /** Monotonic. */
  readonly verifiedAtMs: number;
}

const maxCachedTokens = 1000;
/** A key that its issuer withdrew stops working after this long, even for tokens seen before. */
const maxCachedMs = 600_000;
const maxTokenLength = 16_384;

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { config, clock, log } = options;
  const { fetchJson } = options;
  const configured = configuredCallersByHash(config);
  let staticCallers: ReadonlyMap<string, Caller> = configured;
  const verified = new LruCache<string, CachedToken>(maxCachedTokens);
  let verifier: Promise<TokenVerifier> | undefined;
  const frontProxy = config.frontProxy === undefined ? undefined : createFrontProxy(config.frontProxy);

  async function authenticate(request: AuthRequest): Promise<Caller> {
    const proxied = frontProxy?.callerOf(request);
    if (proxied !== undefined) {
      return proxied;
    }
    const token = bearerToken(request.authorization);
    // Looking up by hash takes time that depends on the hash alone, which says nothing about the token.
    const sha256 = hash("sha256", token, "hex");
    return staticCallers.get(sha256) ?? cached(sha256) ?? (await verify(token, sha256));
  }

  function cached(sha256: string): Caller | undefined {
    const entry = verified.get(sha256);
    if (entry === undefined) {
      return undefined;
    }
    // The wall clock says when a token expires, and nothing about how long ago it was verified.
    const isOld = clock.monotonicMs() - entry.verifiedAtMs >= maxCachedMs;
    if (isOld || entry.expiresAtMs <= clock.now().getTime()) {
      verified.delete(sha256);
      return undefined;
    }
    return entry.caller;
  }

  async function verify(token: string, sha256: string): Promise<Caller> {
    const undecided = options.undecided?.();
    if (undecided !== undefined) {
      throw undecided;
    }
    if (config.oidc.length === 0) {
      throw refused("The bearer token is not known here.");
    }
    verifier ??= loadVerifier();
    const verifiedAtMs = clock.monotonicMs();
    const found = await (await verifier)(token);
    verified.set(sha256, { ...found, verifiedAtMs });
    return found.caller;
  }

  /** The token library takes 50 ms to load, which a server without OIDC need not spend. */
  async function loadVerifier(): Promise<TokenVerifier> {
    const { createTokenVerifier } = await import("./token-verifier.ts");
    return createTokenVerifier({ issuers: config.oidc, fetchJson, clock, log });
  }

  function setLocalToken(sha256: string): void {
    staticCallers = new Map([...configured, [sha256, { kind: "token", subject: localAdmin, groups: [] }]]);
  }

  return { authenticate, setLocalToken };
}

function configuredCallersByHash(config: AuthenticationConfig): Map<string, Caller> {
  const callers = new Map<string, Caller>();
  for (const token of config.tokens) {
    callers.set(token.sha256.toLowerCase(), { kind: "token", subject: `${tokenPrefix}${token.name}`, groups: [] });
  }
  return callers;
}

function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined) {
    throw refused("This request needs a bearer token in its Authorization header.");
  }
  const [, token] = /^bearer +([\w.~+/=-]+) *$/i.exec(authorization) ?? [];
  if (token === undefined || token.length > maxTokenLength) {
    throw refused("The Authorization header must be 'Bearer' and one token.");
  }
  return token;
}
