/** What a request shows to say who it is from. */
export interface Credentials {
  readonly headers: Headers;
  readonly certificate: ClientCertificate | undefined;
}

/** A list is sent as several headers of one name. */
export type Headers = Readonly<Record<string, string | string[]>>;

/** As PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Gives the credentials of one user, and newer ones when the API server no longer takes them. */
export interface CredentialSource {
  /** For messages: `the user 'dev' of the kube config '/home/dev/.kube/config'`. */
  readonly description: string;
  /** For messages: how a person renews them. */
  readonly renewal: string;
  /** The same object until there are other credentials. @throws ApiError when there are none to be had. */
  get(): Promise<Credentials>;
  /** Looks for newer ones. Resolves to whether there are other ones than those that were refused. */
  renew(refused: Credentials): Promise<boolean>;
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

export function sameCredentials(one: Credentials, other: Credentials): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
