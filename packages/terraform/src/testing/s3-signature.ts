import { createHmac, hash, timingSafeEqual } from "node:crypto";

export interface SignedRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Why a request is not signed by this key in version 4 of the scheme, or undefined if it is. */
export function signatureProblem(
  request: SignedRequest,
  keys: { readonly accessKeyId: string; readonly secretAccessKey: string },
): string | undefined {
  const authorization = String(request.headers["authorization"] ?? "");
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})$/u.exec(
      authorization,
    );
  if (match === null) {
    return "MissingSecurityHeader";
  }
  const [, id = "", scope = "", signedHeaders = "", signature = ""] = match;
  if (id !== keys.accessKeyId) {
    return "InvalidAccessKeyId";
  }
  const payload = String(request.headers["x-amz-content-sha256"] ?? "");
  if (/^[0-9a-f]{64}$/u.test(payload) && payload !== hash("sha256", request.body)) {
    return "XAmzContentSHA256Mismatch";
  }
  const [pathname = "", query = ""] = request.url.split("?", 2);
  const canonical = [
    request.method,
    pathname,
    canonicalQuery(query),
    ...signedHeaders.split(";").map((name) => `${name}:${String(request.headers[name] ?? "").trim()}`),
    "",
    signedHeaders,
    payload,
  ].join("\n");
  const date = String(request.headers["x-amz-date"] ?? "");
  const text = ["AWS4-HMAC-SHA256", date, scope, hash("sha256", canonical)].join("\n");
  const signingKey = scope
    .split("/")
    .reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${keys.secretAccessKey}`));
  const expected = hmac(signingKey, text);
  return timingSafeEqual(expected, Buffer.from(signature, "hex")) ? undefined : "SignatureDoesNotMatch";
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function canonicalQuery(query: string): string {
  return query
    .split("&")
    .filter((part) => part !== "")
    .map((part) => (part.includes("=") ? part : `${part}=`))
    .toSorted()
    .join("&");
}
