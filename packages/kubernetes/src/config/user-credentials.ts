import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ApiError, isJsonObject } from "@rad/core";
import type { Clock, JsonObject } from "@rad/core";
import type { ClientCertificate, Credentials, CredentialSource, Headers } from "./credentials.ts";
import { bearer, sameCredentials } from "./credentials.ts";
import { execCredentials } from "./exec-credentials.ts";
import { capital, textOf } from "./kube-config.ts";

/** What a user of a kube config is, and where. */
export interface UserPlace {
  readonly user: JsonObject;
  /** `the user 'dev' of the kube config '…'` */
  readonly description: string;
  /** Paths are relative to it. Without one, the user may name no files and no commands. */
  readonly folder: string | undefined;
  /** The cluster's entry, for plugins that ask for it. */
  readonly cluster: JsonObject;
}

/** Files are read again after so long: short enough for every rotation, since the old token lives on for minutes. */
const rereadMs = 1_000;

/** @throws ApiError `BadRequest` for ways to log in that there are no more. */
export function userCredentials(place: UserPlace, clock: Clock): CredentialSource {
  const { user, description, folder } = place;
  if (isJsonObject(user["auth-provider"])) {
    const name = textOf(user["auth-provider"], "name") ?? "";
    const advice =
      "kubectl has dropped it in favour of exec plugins: let your provider's tool write the kube config anew.";
    throw new ApiError("BadRequest", `${capital(description)} logs in with the auth-provider '${name}'. ${advice}`);
  }
  const files = ["tokenFile", "client-certificate", "client-key"].filter(
    (member) => textOf(user, member) !== undefined,
  );
  if (folder === undefined && (files.length > 0 || isJsonObject(user["exec"]))) {
    const used = files[0] ?? "exec";
    const advice =
      "A kube config that comes with a request may name no files and run no commands. Use a token instead.";
    throw new ApiError("BadRequest", `${capital(description)} uses '${used}'. ${advice}`);
  }
  if (isJsonObject(user["exec"])) {
    return execCredentials({ ...place, exec: user["exec"], headers: impersonation(user) }, clock);
  }
  return new StoredCredentials(place, files, clock);
}

/** Tokens and certificates in the kube config itself or in files, which are read again as they change. */
class StoredCredentials implements CredentialSource {
  readonly description: string;
  readonly renewal: string;
  readonly #place: UserPlace;
  readonly #hasFiles: boolean;
  readonly #clock: Clock;
  #read: { readonly at: number; readonly credentials: Promise<Credentials> } | undefined;

  constructor(place: UserPlace, files: readonly string[], clock: Clock) {
    this.#place = place;
    this.#clock = clock;
    this.#hasFiles = files.length > 0;
    this.description = place.description;
    this.renewal = this.#hasFiles
      ? `Renew ${files.map((member) => `'${textOf(place.user, member)}'`).join(", ")}.`
      : "";
  }

  async get(): Promise<Credentials> {
    const now = this.#clock.now().getTime();
    const last = this.#read;
    if (last !== undefined && !(this.#hasFiles && Math.abs(now - last.at) >= rereadMs)) {
      return await last.credentials;
    }
    return await this.#readAgain(now, last?.credentials);
  }

  async renew(refused: Credentials): Promise<boolean> {
    const last = this.#read?.credentials;
    const current = this.#hasFiles ? await this.#readAgain(this.#clock.now().getTime(), last) : await this.get();
    return !sameCredentials(current, refused);
  }

  async #readAgain(now: number, last: Promise<Credentials> | undefined): Promise<Credentials> {
    const credentials = readCredentials(this.#place).then(async (found) => {
      const before = await last?.catch(() => undefined);
      return before !== undefined && sameCredentials(before, found) ? before : found;
    });
    this.#read = { at: now, credentials };
    try {
      return await credentials;
    } catch (error) {
      this.#read = undefined; // the next request looks again
      throw error;
    }
  }
}

async function readCredentials({ user, description, folder }: UserPlace): Promise<Credentials> {
  const fileText = async (member: string): Promise<string | undefined> => {
    const path = textOf(user, member);
    if (path === undefined) {
      return undefined;
    }
    try {
      return await readFile(resolve(folder ?? "", path), "utf8");
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
      throw new ApiError(
        "InvalidAuthenticationInfo",
        `The file '${path}' (${member} of ${description}) cannot be read (${code}).`,
        { status: 502, transient: true },
      );
    }
  };
  const token = (await fileText("tokenFile"))?.trim() ?? textOf(user, "token");
  const cert = decoded(user, "client-certificate-data") ?? (await fileText("client-certificate"));
  const key = decoded(user, "client-key-data") ?? (await fileText("client-key"));
  return { headers: { ...loginHeaders(user, token), ...impersonation(user) }, certificate: pair(cert, key) };
}

function loginHeaders(user: JsonObject, token: string | undefined): Record<string, string> {
  const name = textOf(user, "username");
  if (token !== undefined) {
    return bearer(token);
  }
  const login = `${name ?? ""}:${textOf(user, "password") ?? ""}`;
  return name === undefined ? {} : { authorization: `Basic ${Buffer.from(login).toString("base64")}` };
}

function impersonation(user: JsonObject): Headers {
  const [as, uid] = [textOf(user, "as"), textOf(user, "as-uid")];
  const groups = user["as-groups"];
  return {
    ...(as === undefined ? {} : { "impersonate-user": as }),
    ...(uid === undefined ? {} : { "impersonate-uid": uid }),
    ...(Array.isArray(groups) && groups.length > 0 ? { "impersonate-group": groups.map(String) } : {}),
  };
}

function pair(cert: string | undefined, key: string | undefined): ClientCertificate | undefined {
  return cert === undefined || key === undefined ? undefined : { cert, key };
}

function decoded(user: JsonObject, member: string): string | undefined {
  const data = textOf(user, member);
  return data === undefined ? undefined : Buffer.from(data, "base64").toString();
}
