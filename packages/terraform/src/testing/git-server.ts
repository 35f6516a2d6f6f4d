import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createCa, createLeaf, startWebServer } from "@rad/artifacts/testing";
import type { Certificate } from "@rad/artifacts/testing";
import { askHttpBackend } from "./git-http-backend.ts";
import { commitFiles, type CommitOptions, createBareRepository } from "./git-repository.ts";
import { startHostProxy } from "./host-proxy.ts";
import type { ModuleFiles } from "./module-registry.ts";

/** A request as the server saw it, with the credentials that came along. */
export interface GitRequest {
  readonly scheme: "http" | "https";
  /** As the client named it; a port only where it is not the scheme's own. */
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly status: number;
}

/** Who may read what. */
export interface GitAccess {
  /** Any name if left out. */
  readonly user?: string;
  readonly token: string;
  /** All hosts if left out. */
  readonly host?: string;
  /** Paths of repositories; all if left out. Others answer 403. */
  readonly repositories?: RegExp;
}

export type GitFault =
  /** To the same path at another origin; `after` the client has shown credentials that are good. */
  | { readonly kind: "redirect"; readonly to: string; readonly when: "before" | "after" }
  | { readonly kind: "status"; readonly status: number }
  /** Answers when the fault is disposed. */
  | { readonly kind: "stall" };

export interface ActiveGitFault extends Disposable {
  /** Resolves when the first request meets it. */
  readonly first: Promise<void>;
}

export interface GitRepository {
  /** Below a host: `/acme/modules.git`. */
  readonly path: string;
  /** Adds a commit with these files alone, as a push would. @returns its hash */
  commit(files: ModuleFiles, options?: CommitOptions): Promise<string>;
}

/**
 * Private and public Git repositories over HTTPS, served by git's own program under several host names and ports.
 * Clients get there through `env`; without the proxy, as `127.0.0.1:port`.
 */
export interface GitServer extends AsyncDisposable {
  /** `127.0.0.1:port` */
  readonly address: string;
  readonly caFile: string;
  readonly proxyUrl: string;
  /** What git and Terraform need to reach it under its names. */
  readonly env: Readonly<Record<string, string>>;
  readonly requests: readonly GitRequest[];
  /** Every host has every repository. @param place such as `/acme/modules.git` */
  repository(place: string, files: ModuleFiles, options?: RepositoryOptions): Promise<GitRepository>;
  /** Serves a file to anybody, such as an archive. */
  file(place: string, content: Buffer): void;
  /** Until it is disposed, which is how a token is revoked. */
  allow(access: GitAccess): Disposable;
  /** Requests whose `host/path` matches meet the fault. */
  fault(matching: RegExp, fault: GitFault): ActiveGitFault;
}

export interface RepositoryOptions extends CommitOptions {
  /** Whether nobody is asked for credentials. */
  readonly isPublic?: boolean;
}

export interface GitServerOptions {
  /** Of the server's certificate; one of its own if left out. */
  readonly ca?: Certificate;
  /** Names that it is reached under, on any port. */
  readonly hosts: readonly string[];
}

interface ArmedGitFault extends ActiveGitFault {
  readonly matching: RegExp;
  readonly fault: GitFault;
  readonly met: () => void;
  readonly ended: Promise<void>;
}

export async function startGitServer({ hosts, ...options }: GitServerOptions): Promise<GitServer> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), "rad-git-"));
  stack.defer(async () => await rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const ca = options.ca ?? createCa("authority of the Git server");
  const caFile = path.join(folder, "ca.pem");
  await writeFile(caFile, ca.cert);
  const root = path.join(folder, "repositories");
  const requests: (GitRequest & { status: number })[] = [];
  const accesses = new Set<GitAccess>();
  const faults = new Set<ArmedGitFault>();
  const publicPaths = new Set<string>();
  const files = new Map<string, Buffer>();

  async function serve(scheme: GitRequest["scheme"], request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? "/", `${scheme}://${request.headers.host ?? ""}`);
    const seen = { ...seenRequest(scheme, request, url), status: 0 };
    requests.push(seen);
    const answer = (status: number, headers: Readonly<Record<string, string>> = {}, content: Buffer | string = "") => {
      seen.status = status;
      response.writeHead(status, headers).end(content);
    };
    const armed = [...faults].find(({ matching }) => matching.test(`${url.host}${url.pathname}`));
    const file = files.get(url.pathname);
    if (file !== undefined) {
      answer(200, {}, file);
      return;
    }
    const right = rightOf(seen, accesses, publicPaths);
    const isEarly = armed?.fault.kind === "redirect" && armed.fault.when === "before";
    if (right === "unknown" && !isEarly) {
      answer(401, { "www-authenticate": 'Basic realm="git"' });
      return;
    }
    armed?.met();
    if (armed?.fault.kind === "redirect") {
      answer(302, { location: `${armed.fault.to}${url.pathname}${url.search}` });
      return;
    }
    if (armed?.fault.kind === "status") {
      answer(armed.fault.status);
      return;
    }
    if (right === "refused" || /git-receive-pack/u.test(url.href)) {
      answer(403);
      return;
    }
    await armed?.ended;
    const { status, headers, content } = await askHttpBackend(root, request, url);
    answer(status, headers, content);
  }

  const listen = (scheme: GitRequest["scheme"]) => (request: IncomingMessage, response: ServerResponse) => {
    serve(scheme, request, response).catch((error: Error) => response.destroy(error));
  };
  const server = stack.use(
    await startWebServer(listen("https"), createLeaf("the Git server", ca, { names: [...hosts] })),
  );
  const portOf = (host: string): number | undefined => {
    const [, name = "", port = ""] = /^(.*):(\d+)$/u.exec(host) ?? [];
    return name === "127.0.0.1" ? Number(port) : hosts.includes(name) ? server.port : undefined;
  };
  const proxy = stack.use(await startHostProxy({ portOf, plain: listen("http") }));
  stack.defer(() => faults.forEach((fault) => fault[Symbol.dispose]()));
  const owned = stack.move();
  return {
    address: server.host,
    caFile,
    proxyUrl: proxy.url,
    env: { HTTPS_PROXY: proxy.url, http_proxy: proxy.url, SSL_CERT_FILE: caFile },
    requests,
    repository: async (place, files, { isPublic = false, ...commit } = {}) => {
      const repository = path.join(root, place);
      await createBareRepository(repository);
      await commitFiles(repository, files, commit);
      if (isPublic) {
        publicPaths.add(place);
      }
      return { path: place, commit: (next, how) => commitFiles(repository, next, how) };
    },
    file: (place, content) => void files.set(place, content),
    allow: (access) => {
      accesses.add(access);
      return { [Symbol.dispose]: () => accesses.delete(access) };
    },
    fault: (matching, fault) => {
      const first = Promise.withResolvers<void>();
      const ended = Promise.withResolvers<void>();
      const armed: ArmedGitFault = {
        matching,
        fault,
        first: first.promise,
        met: first.resolve,
        ended: ended.promise,
        [Symbol.dispose]: () => {
          faults.delete(armed);
          ended.resolve();
        },
      };
      faults.add(armed);
      return armed;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function seenRequest(
  scheme: GitRequest["scheme"],
  { method = "", headers }: IncomingMessage,
  { host, pathname, search }: URL,
): Omit<GitRequest, "status"> {
  const [kind = "", encoded = ""] = (headers.authorization ?? "").split(" ");
  const [, user, password] =
    kind.toLowerCase() === "basic"
      ? (/^([^:]*):(.*)$/su.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [])
      : [];
  return { scheme, host, method, path: pathname, query: search, user, password };
}

/** Credentials that nobody gave are unknown; good ones for another repository are refused. */
function rightOf(
  { host, path: asked, user, password }: GitRequest,
  accesses: ReadonlySet<GitAccess>,
  publicPaths: ReadonlySet<string>,
): "known" | "unknown" | "refused" {
  if ([...publicPaths].some((place) => asked.startsWith(`${place}/`))) {
    return "known";
  }
  const own = [...accesses].filter(
    (access) =>
      access.token === password &&
      (access.user ?? user) === user &&
      (access.host === undefined || access.host === host || host.startsWith("127.0.0.1")),
  );
  if (own.length === 0) {
    return "unknown";
  }
  return own.some(({ repositories }) => repositories?.test(asked) ?? true) ? "known" : "refused";
}
