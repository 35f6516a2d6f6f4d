import type { Clock, Logger } from "@rad/core";
import { errors, jwtVerify } from "jose";
import type { JWTPayload } from "jose";
import type { OidcIssuerConfig } from "../config/index.ts";
import { asymmetricAlgorithms } from "../identity-rules/algorithms.ts";
import type { FetchJson } from "./fetch-json.ts";
import type { Caller } from "@rad/resources";
import { createKeyFinder, IssuerUnreachable } from "./issuer-keys.ts";
import { refused } from "./refused.ts";
import type { TokenVerifier, VerifiedToken } from "./token-verifier.ts";

export interface IssuerVerifierOptions {
  readonly issuer: OidcIssuerConfig;
  readonly fetchJson?: FetchJson | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

const clockToleranceSeconds = 30;
const maxNameLength = 512;

/** Verifies the tokens of one issuer. */
export function createIssuerVerifier(options: IssuerVerifierOptions): TokenVerifier {
  const { issuer, fetchJson, clock, log } = options;
  const findKey = createKeyFinder({ issuer: issuer.issuer, fetchJson, clock });
  const wanted: readonly string[] = issuer.algorithms;
  const algorithms = asymmetricAlgorithms.filter((name) => wanted.length === 0 || wanted.includes(name));

  async function verify(token: string): Promise<VerifiedToken> {
    try {
      const { payload } = await jwtVerify(token, findKey, {
        issuer: issuer.issuer,
        audience: [...issuer.audience],
        algorithms,
        clockTolerance: clockToleranceSeconds,
        currentDate: clock.now(),
        requiredClaims: ["exp"],
      });
      return { caller: callerFrom(payload, issuer), expiresAtMs: (payload.exp ?? 0) * 1000 };
    } catch (error) {
      if (error instanceof IssuerUnreachable) {
        log.warn("token refused: its issuer cannot be reached", { issuer: issuer.issuer, reason: error.message });
      }
      throw refusalFor(error);
    }
  }

  return verify;
}

function callerFrom(payload: JWTPayload, { usernameClaim, groupsClaim, prefix }: OidcIssuerConfig): Caller {
  const user = payload[usernameClaim];
  if (typeof user !== "string" || user === "" || user.length > maxNameLength) {
    throw refused(`The token has no usable claim '${usernameClaim}', which names the user.`);
  }
  if (usernameClaim === "email" && payload["email_verified"] === false) {
    throw refused("The token's e-mail address is not verified.");
  }
  const claimed = payload[groupsClaim] ?? [];
  const groups: readonly unknown[] = Array.isArray(claimed) ? claimed : [claimed];
  if (!groups.every((group) => typeof group === "string")) {
    throw refused(`The token's claim '${groupsClaim}' is not a list of group names.`);
  }
  return { kind: "oidc", subject: `${prefix}${user}`, groups: groups.map((group) => `${prefix}${group}`) };
}

function refusalFor(error: unknown): unknown {
  if (error instanceof IssuerUnreachable) {
    return refused("The token was refused because its issuer cannot be reached.");
  }
  if (error instanceof errors.JWTExpired) {
    return refused("The token has expired.");
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    return refused(`The token's claim '${error.claim}' is missing or does not fit.`);
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return refused("The token is signed with an algorithm that is not accepted.");
  }
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed) {
    return refused("The token's signature does not fit its issuer's keys.");
  }
  return error instanceof errors.JOSEError ? refused("The token is not a valid signed JWT.") : error;
}
