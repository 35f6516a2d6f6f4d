import { isJsonObject } from "@rad/core";
import type { Clock } from "@rad/core";
import { createLocalJWKSet, errors } from "jose";
import type { CryptoKey, FlattenedJWSInput, JSONWebKeySet, JWSHeaderParameters } from "jose";
import { checkIssuer } from "../config/checks.ts";

import { fetchJson as fetchJsonByHttp } from "./fetch-json.ts";
import type { FetchJson } from "./fetch-json.ts";

type FindKey = ReturnType<typeof createLocalJWKSet>;

/** Finds the public key for a token. @throws IssuerUnreachable when the issuer's keys cannot be had. */
export type KeyFinder = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;

/** The issuer did not give us its keys, so nothing that it signed can be checked. */
export class IssuerUnreachable extends Error {
  override readonly name = "IssuerUnreachable";
  readonly code = "IssuerUnreachable";
}

const maxAgeMs = 600_000;
/** At most one refetch per so long on account of unknown key ids, which anybody can make up. */
const cooldownMs = 30_000;
/** After a failure nobody waits on the issuer again for so long. */
const retryAfterMs = 5000;

/**
 * An issuer's public keys, found through discovery and kept for ten minutes. A key id that is not among them makes for
 * an early refetch, which is how a rotated key is noticed. When the issuer cannot be reached there are no keys: old
 * ones might have been withdrawn.
 */
export function createKeyFinder(options: {
  readonly issuer: string;
  readonly fetchJson?: FetchJson | undefined;
  readonly clock: Clock;
}): KeyFinder {
  const { issuer, fetchJson = fetchJsonByHttp, clock } = options;
  let keys: { readonly find: FindKey; readonly fetchedAtMs: number } | undefined;
  let failure: { readonly error: IssuerUnreachable; readonly atMs: number } | undefined;
  let loading: Promise<FindKey> | undefined;

  async function find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    const current = await fresherThan(maxAgeMs);
    try {
      return await current(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) {
        throw error;
      }
      const refetched = await fresherThan(cooldownMs);
      if (refetched === current) {
        throw error;
      }
      return await refetched(header, token);
    }
  }

  async function fresherThan(ageMs: number): Promise<FindKey> {
    const nowMs = clock.monotonicMs(); // ages, which a wall clock that is set back would make negative
    if (keys !== undefined && nowMs - keys.fetchedAtMs < ageMs) {
      return keys.find;
    }
    if (failure !== undefined && nowMs - failure.atMs < retryAfterMs) {
      throw failure.error;
    }
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return await loading;
  }

  async function load(): Promise<FindKey> {
    const startedAtMs = clock.monotonicMs();
    try {
      const loaded = createLocalJWKSet(await fetchKeySet(issuer, fetchJson));
      keys = { find: loaded, fetchedAtMs: startedAtMs };
      failure = undefined;
      return loaded;
    } catch (error) {
      failure = { error: new IssuerUnreachable(reasonOf(error), { cause: error }), atMs: startedAtMs };
      throw failure.error;
    }
  }

  return find;
}

async function fetchKeySet(issuer: string, fetchJson: FetchJson): Promise<JSONWebKeySet> {
  const discoveryUrl = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const discovery = await fetchJson(discoveryUrl);
  if (!isJsonObject(discovery) || discovery["issuer"] !== issuer) {
    throw new Error("its discovery document names another issuer");
  }
  const keysUrl = discovery["jwks_uri"];
  if (typeof keysUrl !== "string" || !isSafeUrl(keysUrl)) {
    throw new Error("its discovery document has no jwks_uri that is an https URL");
  }
  // The key set is checked by createLocalJWKSet.
  return (await fetchJson(keysUrl)) as JSONWebKeySet;
}

function isSafeUrl(text: string): boolean {
  const url = URL.parse(text);
  // Unlike an issuer, the address of the keys may have a query.
  return url !== null && checkIssuer(`${url.protocol}//${url.host}`) === undefined;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return "unknown error";
  }
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
