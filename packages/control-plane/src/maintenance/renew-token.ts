import { silentLogger } from "@rad/core";
import { ConfigError, type ServerConfig } from "../config/index.ts";
import { dataDirectory, openStore } from "../open-store.ts";
import { renewBootstrapToken } from "../identity/bootstrap-token.ts";
import { renewLocalToken } from "../identity/index.ts";

/**
 * Makes another local or bootstrap token in the place of a lost one. Servers that run take it over by themselves, and refuse
 * the old one from then on. @returns the file that it is in
 * @throws ConfigError, StoreError
 */
export async function renewToken(config: ServerConfig): Promise<string> {
  if (config.databaseProvider.provider === "sqlite") {
    return await renewLocalToken(dataDirectory(config));
  }
  const file = config.authentication.bootstrapTokenFile;
  if (file === undefined) {
    throw new ConfigError(["authentication.bootstrapTokenFile: is not set, so this server has no token to renew"]);
  }
  await using store = await openStore(config, { log: silentLogger });
  await renewBootstrapToken(store, file);
  return file;
}
