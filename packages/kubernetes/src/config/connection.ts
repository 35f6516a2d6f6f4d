import type { CredentialSource } from "./credentials.ts";

/** Everything that it takes to speak to one API server. */
export interface Connection {
  /** For messages: `the cluster 'kind-dev'`. */
  readonly description: string;
  readonly server: URL;
  /** As PEM; the system's authorities when absent. */
  readonly ca: string | undefined;
  /** For messages: where the authorities come from. */
  readonly caSource: string;
  /** The name that the server's certificate is for, when it is not the host of `server`. */
  readonly serverName: string | undefined;
  readonly isInsecure: boolean;
  /** Environment variables that name proxies, such as `HTTPS_PROXY`. */
  readonly proxies: Readonly<Record<string, string>>;
  readonly credentials: CredentialSource;
}
