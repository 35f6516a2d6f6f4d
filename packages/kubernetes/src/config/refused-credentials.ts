import { X509Certificate } from "node:crypto";
import { isJsonObject } from "@rad/core";
import type { Credentials } from "./credentials.ts";

/** Why the API server may have refused them, as far as they say it themselves: the server only says that it did. */
export function whyRefused({ headers, certificate }: Credentials, now: Date): string | undefined {
  const token = /^Bearer (.+)$/.exec(String(headers["authorization"]))?.[1];
  if (token !== undefined) {
    return whyTokenRefused(token, now);
  }
  return certificate === undefined ? "There are none." : whyCertificateRefused(certificate.cert, now);
}

function whyTokenRefused(token: string, now: Date): string | undefined {
  const claims = claimsOf(token);
  const time = (name: string): Date | undefined =>
    typeof claims?.[name] === "number" ? new Date(claims[name] * 1000) : undefined;
  return outside("token", time("nbf") ?? time("iat"), time("exp"), now);
}

function whyCertificateRefused(pem: string, now: Date): string | undefined {
  try {
    const { validFromDate, validToDate } = new X509Certificate(pem);
    return outside("client certificate", validFromDate, validToDate, now);
  } catch {
    return "The client certificate is not valid PEM.";
  }
}

function outside(what: string, from: Date | undefined, to: Date | undefined, now: Date): string | undefined {
  if (to !== undefined && to <= now) {
    return `The ${what} expired at ${to.toISOString()}.`;
  }
  if (from !== undefined && from > now) {
    return `The ${what} is not valid before ${from.toISOString()}, and it is ${now.toISOString()} here: check the clocks.`;
  }
  return undefined;
}

/** Of a JSON Web Token; nothing of other tokens. */
function claimsOf(token: string): Record<string, unknown> | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    return isJsonObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}
