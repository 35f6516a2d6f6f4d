import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface RegistryOptions {
  /** How callers are known: not at all, by name and password, or by a token that the same server gives out. */
  readonly authentication?: "none" | "basic" | "bearer";
  readonly username?: string;
  readonly password?: string;
  /** Answer requests for blobs with a redirect, as registries with separate storage do. */
  readonly redirectBlobs?: boolean;
  /** Changes blobs on the way out. */
  readonly tamper?: (content: Buffer) => Buffer;
}

/** A registry on this machine that speaks as much of the OCI distribution protocol as pulling needs. */
export interface TestRegistry extends AsyncDisposable {
  /** `127.0.0.1:port` */
  readonly host: string;
  /** `METHOD path` of every request so far, and whether it carried credentials. */
  readonly requests: { readonly line: string; readonly authorized: boolean }[];
  /** Stores an artifact of one layer; gives the digest of its manifest. */
  publish(name: string, tag: string, layer: { readonly mediaType: string; readonly content: Uint8Array }): string;
  /** Stores any text as a manifest. */
  putManifest(name: string, tag: string, text: string): void;
}

export const moduleLayer = "application/vnd.ms.bicep.module.layer.v1+json";
export const extensionLayer = "application/vnd.ms.bicep.provider.layer.v1.tar+gzip";

export async function startRegistry(options: RegistryOptions = {}): Promise<TestRegistry> {
  const registry = new Registry(options);
  await registry.listen();
  return registry;
}

class Registry implements TestRegistry {
  readonly requests: { readonly line: string; readonly authorized: boolean }[] = [];
  readonly #options: RegistryOptions;
  readonly #manifests = new Map<string, Buffer>();
  readonly #blobs = new Map<string, Buffer>();
  readonly #token = randomBytes(12).toString("hex");
  readonly #server = createServer((request, response) => this.#answer(request, response));

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", () => resolve()));
  }

  publish(name: string, tag: string, layer: { readonly mediaType: string; readonly content: Uint8Array }): string {
    const describe = (mediaType: string, content: Uint8Array) => {
      const digest = sha256(content);
      this.#blobs.set(digest, Buffer.from(content));
      return { mediaType, digest, size: content.length };
    };
    const manifest = JSON.stringify({
      schemaVersion: 2,
      mediaType: "application/vnd.oci.image.manifest.v1+json",
      config: describe("application/vnd.ms.bicep.module.config.v1+json", Buffer.from("{}")),
      layers: [describe(layer.mediaType, layer.content)],
    });
    this.putManifest(name, tag, manifest);
    return sha256(Buffer.from(manifest));
  }

  putManifest(name: string, tag: string, text: string): void {
    const bytes = Buffer.from(text);
    this.#manifests.set(`${name}:${tag}`, bytes);
    this.#manifests.set(`${name}:${sha256(bytes)}`, bytes);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", `http://${this.host}`);
    const { authorization } = request.headers;
    this.requests.push({ line: `${request.method} ${url.pathname}`, authorized: authorization !== undefined });
    if (url.pathname === "/token") {
      this.#giveToken(authorization, response);
    } else if (url.pathname.startsWith("/storage/")) {
      this.#send(response, this.#blobs.get(url.pathname.slice("/storage/".length)));
    } else if (!this.#isKnown(authorization)) {
      const realm = `Bearer realm="http://${this.host}/token",service="test",scope="x"`;
      const challenge = this.#options.authentication === "bearer" ? realm : `Basic realm="test"`;
      response.writeHead(401, { "www-authenticate": challenge }).end();
    } else {
      this.#serve(url.pathname, response);
    }
  }

  #serve(path: string, response: ServerResponse): void {
    const [, name = "", kind, reference = ""] = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/u.exec(path) ?? [];
    if (kind === "manifests") {
      this.#send(response, this.#manifests.get(`${name}:${reference}`));
    } else if (this.#options.redirectBlobs === true) {
      // Another name is another origin, which credentials are not for.
      const storage = this.host.replace("127.0.0.1", "localhost");
      response.writeHead(307, { location: `http://${storage}/storage/${reference}` }).end();
    } else {
      this.#send(response, this.#blobs.get(reference));
    }
  }

  #send(response: ServerResponse, content: Buffer | undefined): void {
    if (content === undefined) {
      response.writeHead(404).end();
    } else {
      const { tamper } = this.#options;
      response.writeHead(200).end(tamper === undefined ? content : tamper(content));
    }
  }

  #giveToken(authorization: string | undefined, response: ServerResponse): void {
    if (this.#options.password !== undefined && authorization !== this.#basic()) {
      response.writeHead(401).end();
    } else {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ token: this.#token }));
    }
  }

  #isKnown(authorization: string | undefined): boolean {
    switch (this.#options.authentication) {
      case "basic":
        return authorization === this.#basic();
      case "bearer":
        return authorization === `Bearer ${this.#token}`;
      default:
        return true;
    }
  }

  #basic(): string {
    const { username = "", password = "" } = this.#options;
    return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  }
}

function sha256(content: Uint8Array): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}
