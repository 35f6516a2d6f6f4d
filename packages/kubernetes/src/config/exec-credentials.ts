import { execFile } from "node:child_process";
import { isAbsolute, resolve } from "node:path";
import { ApiError, isJsonObject } from "@rad/core";
import type { Clock, JsonObject } from "@rad/core";
import type { Credentials, CredentialSource, Headers } from "./credentials.ts";
import { bearer, sameCredentials } from "./credentials.ts";
import { capital, textOf } from "./kube-config.ts";

export interface ExecPlace {
  /** The user's member `exec`. */
  readonly exec: JsonObject;
  readonly description: string;
  readonly folder: string | undefined;
  readonly cluster: JsonObject;
  /** Sent besides what the plugin gives. */
  readonly headers: Headers;
}

interface Issued {
  readonly credentials: Credentials;
  /** In milliseconds; absent for those that last until they are refused. */
  readonly expiresAt: number | undefined;
}

const timeoutMs = 60_000;
const maxBytes = 1 << 20;
const versions = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];

/** Credentials that a command prints, kept until they expire or are refused. */
export function execCredentials(place: ExecPlace, clock: Clock): CredentialSource {
  const { exec, description } = place;
  const command = textOf(exec, "command");
  if (command === undefined || !versions.includes(textOf(exec, "apiVersion") ?? "")) {
    const advice = `It takes a command, and ${versions.join(" or ")} as apiVersion.`;
    throw new ApiError("BadRequest", `The exec plugin of ${description} cannot be used. ${advice}`);
  }
  if (exec["interactiveMode"] === "Always") {
    const problem = `The exec plugin '${command}' of ${description} asks on a terminal, and a server has none.`;
    throw new ApiError("BadRequest", `${problem} Choose another way to log in.`);
  }
  let issued: Promise<Issued> | undefined;

  const current = async (isUsable: (last: Issued) => boolean): Promise<Credentials> => {
    const known = issued;
    const last = await known?.catch(() => undefined);
    if (last !== undefined && isUsable(last)) {
      return last.credentials;
    }
    // Many requests find out at once, and the first of them runs the plugin for all.
    if (issued === known || issued === undefined) {
      issued = runPlugin(place, command);
    }
    return (await issued).credentials;
  };

  return {
    description,
    renewal: `Log in again, so that '${command}' gives new ones.`,
    get: async () => await current(({ expiresAt = Infinity }) => expiresAt > clock.now().getTime()),
    renew: async (refused) => !sameCredentials(await current(({ credentials }) => credentials !== refused), refused),
  };
}

async function runPlugin(place: ExecPlace, command: string): Promise<Issued> {
  const { exec, folder, description, headers } = place;
  const isPath = /[/\\]/.test(command) && !isAbsolute(command);
  const args = Array.isArray(exec["args"]) ? exec["args"].map(String) : [];
  const printed = await new Promise<string>((done, fail) => {
    const options = { env: environment(place), timeout: timeoutMs, maxBuffer: maxBytes, windowsHide: true };
    const file = isPath ? resolve(folder ?? "", command) : command;
    const child = execFile(file, args, options, (error, stdout, stderr) => {
      if (error === null) {
        done(stdout);
      } else {
        fail(pluginError(place, command, explain(error, stderr)));
      }
    });
    child.stdin?.on("error", () => {});
    child.stdin?.end();
  });
  const status = statusOf(printed, textOf(exec, "apiVersion"));
  if (typeof status === "string") {
    throw pluginError(place, command, status);
  }
  const [token, cert, key] = ["token", "clientCertificateData", "clientKeyData"].map((name) => textOf(status, name));
  if (token === undefined && (cert === undefined || key === undefined)) {
    throw pluginError(place, command, "printed neither a token nor a certificate with its key");
  }
  const expiry = textOf(status, "expirationTimestamp");
  const expiresAt = expiry === undefined ? undefined : Date.parse(expiry);
  if (Number.isNaN(expiresAt)) {
    throw pluginError(place, command, `printed an expirationTimestamp of ${description} that is no time`);
  }
  const certificate = cert === undefined || key === undefined ? undefined : { cert, key };
  return { credentials: { headers: { ...(token && bearer(token)), ...headers }, certificate }, expiresAt };
}

function environment({ exec, cluster }: ExecPlace): NodeJS.ProcessEnv {
  const variables = Array.isArray(exec["env"]) ? exec["env"].filter(isJsonObject) : [];
  const info = {
    kind: "ExecCredential",
    apiVersion: textOf(exec, "apiVersion"),
    spec: { interactive: false, ...(exec["provideClusterInfo"] === true ? { cluster } : {}) },
  };
  return {
    ...process.env,
    ...Object.fromEntries(variables.map((entry) => [textOf(entry, "name") ?? "", textOf(entry, "value") ?? ""])),
    KUBERNETES_EXEC_INFO: JSON.stringify(info),
  };
}

/** The status of what was printed, or what is wrong with it. The text itself may be a secret. */
function statusOf(printed: string, version: string | undefined): JsonObject | string {
  let value: unknown;
  try {
    value = JSON.parse(printed);
  } catch {
    return "printed something that is not JSON";
  }
  if (!isJsonObject(value) || value["kind"] !== "ExecCredential" || value["apiVersion"] !== version) {
    return `printed no ExecCredential of ${version}`;
  }
  return isJsonObject(value["status"]) ? value["status"] : "printed an ExecCredential without a status";
}

function explain(error: Error & { code?: unknown; killed?: boolean }, stderr: string): string {
  if (error.code === "ENOENT") {
    return "is not installed, or not on the PATH";
  }
  if (error.killed === true) {
    return `took longer than ${timeoutMs / 1000} s, or printed too much`;
  }
  const said = stderr.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
  return `failed (${String(error.code)})${said === "" ? "" : `: ${said}`}`;
}

function pluginError({ exec, description }: ExecPlace, command: string, problem: string): ApiError {
  const hint = textOf(exec, "installHint")?.trim();
  return new ApiError(
    "InvalidAuthenticationInfo",
    `${capital(description)} has no credentials: the exec plugin '${command}' ${problem}.${hint ? ` ${hint}` : ""}`,
    { status: 502 },
  );
}
