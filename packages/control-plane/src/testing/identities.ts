import { hash, randomBytes } from "node:crypto";
import type { ConfigOverrides } from "../config/index.ts";

type Assignment = NonNullable<NonNullable<ConfigOverrides["authorization"]>["assignments"]>[number];

/** Somebody with a token that the configuration knows by its hash. */
export interface Identity {
  readonly name: string;
  readonly token: string;
}

export function createIdentity(name: string): Identity {
  return { name, token: `${name}-${randomBytes(16).toString("hex")}` };
}

export function configuredTokens(...identities: readonly Identity[]): ConfigOverrides["authentication"] {
  return { tokens: identities.map(({ name, token }) => ({ name, sha256: hash("sha256", token, "hex") })) };
}

/** Gives `role` to the holder of a token. */
export function assign(role: string, identity: Identity, scope: string): Assignment {
  return { role, subject: `token:${identity.name}`, group: undefined, scope };
}
