import type { AuthenticationConfig } from "../config/index.ts";
import type { AuthRequest } from "./auth-request.ts";
import type { Caller } from "@rad/resources";
import { LruCache } from "./lru-cache.ts";
import { proxyPrefix } from "../identity-rules/names.ts";

type FrontProxyConfig = NonNullable<AuthenticationConfig["frontProxy"]>;

export interface FrontProxy {
  /** The caller that the proxy vouches for; `undefined` when the request did not come through the proxy. */
  callerOf(request: AuthRequest): Caller | undefined;
}

const maxCallers = 1000;

/**
 * Believes `X-Remote-User` and `X-Remote-Group`, but only from a client whose certificate the configured CA signed.
 * From anybody else the headers are as if they had not been sent.
 */
export function createFrontProxy(config: FrontProxyConfig): FrontProxy {
  const allowed = new Set(config.allowedNames);
  const callers = new LruCache<string, Caller>(maxCallers);

  function callerOf(request: AuthRequest): Caller | undefined {
    const certificate = request.clientCertificate;
    if (certificate?.authorized !== true || (allowed.size > 0 && !allowed.has(certificate.commonName))) {
      return undefined;
    }
    const users = request.headers["x-remote-user"] ?? [];
    const [user] = users;
    if (user === undefined || user === "" || users.length > 1) {
      return undefined;
    }
    const groups = request.headers["x-remote-group"] ?? [];
    const key = JSON.stringify([user, groups]);
    const known = callers.get(key);
    if (known !== undefined) {
      return known;
    }
    const caller: Caller = {
      kind: "frontProxy",
      subject: `${proxyPrefix}${user}`,
      groups: groups.map((group) => `${proxyPrefix}${group}`),
    };
    callers.set(key, caller);
    return caller;
  }

  return { callerOf };
}
