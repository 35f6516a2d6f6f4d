import { ClientError } from "./client-error.ts";

const untrusted =
  "is signed by an authority that is not trusted here. If it is a private one, give its certificate to " +
  "`rad workspace create server <name> --url <url> --ca-file <file> --force`, or name the file in NODE_EXTRA_CA_CERTS";

/** What is wrong with a server's certificate, and what to do, by the codes of Node and OpenSSL. */
const refusals: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_HAS_EXPIRED:
    "has expired, or that of its authority has. Renew it at the control plane, and check the clock of this machine",
  CERT_NOT_YET_VALID: "is not valid yet. Check the clocks of this machine and of the control plane",
  CERT_REVOKED: "was revoked. Renew it at the control plane",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "is for other names than this one. Use a URL with one of them, or renew it with this one",
  HOSTNAME_MISMATCH: "is for other names than this one. Use a URL with one of them, or renew it with this one",
};

/** What to tell about a connection that failed because of TLS; nothing when something else is the reason. */
export function tlsFailure(endpoint: URL, code: string, error: unknown): ClientError | undefined {
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "EPROTO") {
    const plain = `http:${endpoint.origin.slice("https:".length)}`;
    return new ClientError(
      "ConnectionFailed",
      `${endpoint.origin} does not speak TLS (${code}). Is the URL ${plain}?`,
      { cause: error },
    );
  }
  const what = refusals[code];
  if (what === undefined) {
    return undefined;
  }
  const names = error instanceof Error ? /altnames: (.+)$/i.exec(error.message)?.[1] : undefined;
  const shown = names === undefined ? "" : ` It has: ${names.slice(0, 500)}.`;
  return new ClientError("CertificateRefused", `The certificate of ${endpoint.origin} ${what} (${code}).${shown}`, {
    cause: error,
  });
}
