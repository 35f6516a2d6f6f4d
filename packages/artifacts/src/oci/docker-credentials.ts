import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ArtifactError } from "../artifact-error.ts";
import { systemCode } from "../system-code.ts";

export interface RegistryCredential {
  readonly username: string;
  readonly password: string;
  /** A refresh token that is exchanged for an access token, instead of name and password. */
  readonly identityToken: string | undefined;
}

export type CredentialLookup = (registry: string) => Promise<RegistryCredential | undefined>;

/**
 * Finds credentials in Docker's file (`DOCKER_CONFIG`, else `~/.docker/config.json`). Only what stands in the file
 * counts; credential helpers are not run.
 */
export function dockerCredentials(env: Readonly<Record<string, string | undefined>>, home: string): CredentialLookup {
  const path = join(env["DOCKER_CONFIG"] ?? join(home, ".docker"), "config.json");
  let loaded: Promise<Readonly<Record<string, unknown>>> | undefined;
  return async (registry) => {
    loaded ??= readAuths(path);
    const auths = await loaded;
    for (const key of keysFor(registry)) {
      const credential = credentialOf(auths[key]);
      if (credential !== undefined) {
        return credential;
      }
    }
    return undefined;
  };
}

async function readAuths(path: string): Promise<Readonly<Record<string, unknown>>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") {
      return {};
    }
    throw new ArtifactError(
      "CredentialsUnreadable",
      `${path} cannot be read (${systemCode(error) ?? "unknown error"}).`,
    );
  }
  try {
    const auths = record(record(JSON.parse(text))?.["auths"]);
    return auths ?? {};
  } catch {
    // The text may hold secrets, so the parser's message, which quotes it, stays here.
    throw new ArtifactError("CredentialsInvalid", `${path} is not valid JSON.`);
  }
}

/** The names under which Docker and others store the credentials of a registry. */
function keysFor(registry: string): readonly string[] {
  const names = registry === "docker.io" ? ["index.docker.io", registry] : [registry];
  return names.flatMap((name) => [
    name,
    `https://${name}`,
    `https://${name}/`,
    `https://${name}/v1/`,
    `http://${name}`,
  ]);
}

function credentialOf(entry: unknown): RegistryCredential | undefined {
  const fields = record(entry);
  if (fields === undefined) {
    return undefined;
  }
  const [username, password] = decodeAuth(fields["auth"]) ?? [text(fields["username"]), text(fields["password"])];
  const identityToken = text(fields["identitytoken"]);
  if (identityToken === undefined && (username === undefined || password === undefined)) {
    return undefined;
  }
  return { username: username ?? "", password: password ?? "", identityToken };
}

function decodeAuth(auth: unknown): readonly [string, string] | undefined {
  if (typeof auth !== "string" || auth === "") {
    return undefined;
  }
  const pair = Buffer.from(auth, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon < 0 ? undefined : [pair.slice(0, colon), pair.slice(colon + 1)];
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
