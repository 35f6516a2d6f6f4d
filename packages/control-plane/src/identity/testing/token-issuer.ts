import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import type { CryptoKey, JWK, JWTPayload } from "jose";

/** An OpenID Connect issuer on loopback, as much of it as a resource server sees. */
export interface TokenIssuer extends AsyncDisposable {
  readonly url: string;
  /** Paths asked for, in order. */
  readonly requests: string[];
  /** What the two documents say instead of the truth, and how they are answered. */
  readonly answers: { discovery?: object; status?: number; padding?: number; redirect?: boolean };
  /** The published key of the newest signer. */
  readonly publicKey: JWK;
  /** A fresh key; the old one is withdrawn. */
  rotate(algorithm?: string): Promise<void>;
  sign(claims: JWTPayload, header?: { readonly kid?: string }): Promise<string>;
}

export async function startTokenIssuer(algorithm = "RS256"): Promise<TokenIssuer> {
  const requests: string[] = [];
  const answers: TokenIssuer["answers"] = {};
  let signer: { privateKey: CryptoKey; publicKey: JWK; algorithm: string } | undefined;
  let rotations = 0;

  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    if (answers.redirect === true) {
      response.writeHead(302, { location: `${url}/elsewhere` }).end();
      return;
    }
    const discovery = { issuer: url, jwks_uri: `${url}/keys`, ...answers.discovery };
    const body = request.url === "/keys" ? { keys: [current().publicKey] } : discovery;
    const padding = " ".repeat(answers.padding ?? 0);
    response.writeHead(answers.status ?? 200, { "content-type": "application/json" });
    response.end(JSON.stringify(body) + padding);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function current() {
    if (signer === undefined) {
      throw new Error("the issuer has no key");
    }
    return signer;
  }

  async function rotate(next = signer?.algorithm ?? algorithm): Promise<void> {
    const pair = await generateKeyPair(next);
    rotations += 1;
    const publicKey = { ...(await exportJWK(pair.publicKey)), kid: `key-${rotations}`, alg: next, use: "sig" };
    signer = { privateKey: pair.privateKey, publicKey, algorithm: next };
  }

  await rotate();
  return {
    url,
    requests,
    answers,
    get publicKey() {
      return current().publicKey;
    },
    rotate,
    sign(claims, header) {
      const { algorithm: alg, privateKey, publicKey } = current();
      return new SignJWT(claims).setProtectedHeader({ alg, kid: publicKey.kid, ...header }).sign(privateKey);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      if (server.listening) {
        server.close();
        await once(server, "close");
      }
    },
  };
}
