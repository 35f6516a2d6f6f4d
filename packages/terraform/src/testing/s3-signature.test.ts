import assert from "node:assert/strict";
import { it } from "node:test";
import { signatureProblem } from "./s3-signature.ts";

// The published example of the scheme: GET of an object with a range.
const keys = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };
const request = {
  method: "GET",
  url: "/test.txt",
  headers: {
    host: "examplebucket.s3.amazonaws.com",
    range: "bytes=0-9",
    "x-amz-content-sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "x-amz-date": "20130524T000000Z",
    authorization:
      "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request," +
      "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date," +
      "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  },
  body: Buffer.alloc(0),
};

for (const [what, changed, used, problem] of [
  ["accepts a request signed with the key", {}, keys, undefined],
  ["refuses another secret", {}, { ...keys, secretAccessKey: "x" }, "SignatureDoesNotMatch"],
  ["refuses another id", {}, { ...keys, accessKeyId: "AKIAOTHER" }, "InvalidAccessKeyId"],
  ["refuses another path", { url: "/other.txt" }, keys, "SignatureDoesNotMatch"],
  ["refuses another content", { body: Buffer.from("x") }, keys, "XAmzContentSHA256Mismatch"],
  ["refuses a request without a signature", { headers: {} }, keys, "MissingSecurityHeader"],
] as const) {
  it(what, () => assert.equal(signatureProblem({ ...request, ...changed }, used), problem));
}
