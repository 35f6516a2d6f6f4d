import type { Clock, Logger } from "@rad/core";
import { decodeJwt } from "jose";
import type { OidcIssuerConfig } from "../config/index.ts";
import type { FetchJson } from "./fetch-json.ts";
import type { Caller } from "@rad/resources";
import { createIssuerVerifier } from "./issuer-verifier.ts";
import { refused } from "./refused.ts";

export interface VerifiedToken {
  readonly caller: Caller;
  readonly expiresAtMs: number;
}

/** @throws ApiError `InvalidAuthenticationInfo` for every token that is not beyond doubt. */
export type TokenVerifier = (token: string) => Promise<VerifiedToken>;

export interface TokenVerifierOptions {
  readonly issuers: readonly OidcIssuerConfig[];
  readonly fetchJson?: FetchJson | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Hands each token to the issuer that it names. The claim is not verified yet: it only chooses who is to verify it. */
export function createTokenVerifier({ issuers, ...tools }: TokenVerifierOptions): TokenVerifier {
  const verifiers = new Map(issuers.map((issuer) => [issuer.issuer, createIssuerVerifier({ issuer, ...tools })]));
  return async (token) => {
    const verify = verifiers.get(issuerOf(token) ?? "");
    if (verify === undefined) {
      throw refused("The bearer token is not known here.");
    }
    return await verify(token);
  };
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
