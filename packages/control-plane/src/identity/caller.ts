/**
 * Who is calling. Authenticators hand out the same object for the same credentials as long as they can, so that what is
 * worked out about a caller can be kept by object.
 */
export interface Caller {
  readonly kind: "token" | "oidc" | "frontProxy" | "anonymous";
  /** Prefixed with its source (see `names.ts`); what audit records and `systemData` show. */
  readonly subject: string;
  readonly groups: readonly string[];
}

/** A caller on a route that asks for no credentials. It has no permissions anywhere. */
export const anonymousCaller: Caller = Object.freeze({ kind: "anonymous", subject: "anonymous", groups: [] });
