import { fetchBytes, isSuccess, type Network } from "@rad/artifacts/download";
import { isJsonObject } from "@rad/core";
import { asciiHostName } from "@rad/core/terraform";
import { installerNetwork } from "../../download/installer-network.ts";
import { readAuthorities } from "../../download/read-authorities.ts";
import type { GitRun } from "./git-commit.ts";

/** A version of a module in a registry. */
export interface RegistryModule {
  /** With the port, if it has one; `undefined` for the registry that a product asks where none is named. */
  readonly host: string | undefined;
  /** `NAMESPACE/NAME/SYSTEM` */
  readonly module: string;
  readonly version: string;
}

const source = /^(?:([^/]+)\/)?([\w-]+\/[\w-]+\/[\w-]+)(?:\/\/.*)?$/u;
const publicHosts = ["registry.terraform.io", "registry.opentofu.org"];
const rules = { plainHttp: "never", redirects: { max: 5, to: "anyHost" }, maxBytes: 1 << 20, totalMs: 15_000 } as const;

/** As Terraform notes a module in `modules.json`; `undefined` for one of another kind. */
export function registryModuleOf(noted: string, version: string | undefined): RegistryModule | undefined {
  const [, host, module] = source.exec(noted) ?? [];
  return module === undefined || version === undefined ? undefined : { host, module, version };
}

/** Asks registries of modules as a run may, with its tokens, authorities and proxies. */
export class ModuleRegistries {
  readonly #tokens: ReadonlyMap<string, string>;
  readonly #use: Pick<GitRun, "env" | "signal">;
  #network: Promise<Network> | undefined;

  constructor(use: Pick<GitRun, "env" | "signal">) {
    this.#use = use;
    this.#tokens = tokensIn(use.env);
  }

  /** Whether the run sends a token for it, so that others may not read it. */
  isPrivate({ host }: RegistryModule): boolean {
    const hosts = host === undefined ? publicHosts : [comparable(host)];
    return hosts.some((one) => this.#tokens.has(one));
  }

  /** Where the registry sends this run for the module; `undefined` when it does not, or does not answer. */
  async locationOf({ host: named, module, version }: RegistryModule): Promise<string | undefined> {
    const { signal } = this.#use;
    const host = named ?? publicHosts.find((one) => this.#tokens.has(one)) ?? publicHosts[0] ?? "";
    const token = this.#tokens.get(comparable(host));
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    try {
      this.#network ??= networkOf(this.#use.env);
      const network = await this.#network;
      const discovery = `https://${host}/.well-known/terraform.json`;
      const services = await fetchBytes(network, { ...rules, url: discovery, headers: {}, signal });
      const base: unknown = isSuccess(services.status) ? jsonOf(services.bytes)["modules.v1"] : undefined;
      if (typeof base !== "string") {
        return undefined;
      }
      const { href } = new URL(`${module}/${version}/download`, new URL(base.replace(/\/?$/u, "/"), services.url));
      const answer = await fetchBytes(network, { ...rules, url: href, headers, signal });
      if (!isSuccess(answer.status)) {
        return undefined;
      }
      const location = answer.headers["x-terraform-get"] ?? jsonOf(answer.bytes)["location"];
      return typeof location === "string" ? location : undefined;
    } catch {
      signal.throwIfAborted();
      return undefined; // Terraform's own download tells why
    }
  }
}

/** Names of variables as Terraform reads them: an underscore is a dot, and two are a hyphen. */
function tokensIn(env: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(env).flatMap(([name, token]) =>
      name.startsWith("TF_TOKEN_")
        ? [[comparable(name.slice("TF_TOKEN_".length).replaceAll("__", "-").replaceAll("_", ".")), token]]
        : [],
    ),
  );
}

function comparable(host: string): string {
  const [, name = "", port = ""] = /^(.*?)(:\d+)?$/u.exec(host) ?? [];
  return `${asciiHostName(name) ?? name.toLowerCase()}${port === ":443" ? "" : port}`;
}

async function networkOf(env: Readonly<Record<string, string>>): Promise<Network> {
  const file = env["SSL_CERT_FILE"];
  const ca = file === undefined ? undefined : await readAuthorities(file);
  return installerNetwork({ ca: [ca], proxy: { env }, resolve: undefined });
}

function jsonOf(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  if (bytes.length === 0) {
    return {};
  }
  const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
  return isJsonObject(value) ? value : {};
}
