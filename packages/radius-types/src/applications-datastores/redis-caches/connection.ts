import type { PortableType } from "../../manual-provisioning/portable-type.ts";
import { valueText } from "../../manual-provisioning/value-text.ts";

const tlsPort = 6380;

export const redisConnection: PortableType = {
  required: ["host", "port"],
  optional: ["username", "tls"],
  secrets: ["connectionString", "password", "url"],
  compute(values, { password = "" }) {
    const tls = values["tls"] ?? values["port"] === tlsPort;
    const address = `${valueText(values, "host")}:${valueText(values, "port")}`;
    const username = valueText(values, "username");
    const options = [
      ...(tls === true ? ["ssl=True"] : []),
      ...(username === "" ? [] : [`user=${username}`]),
      ...(password === "" ? [] : [`password=${password}`]),
    ];
    return {
      values: { tls },
      secrets: {
        connectionString: [address, "abortConnect=False", ...options].join(","),
        url: `${tls === true ? "rediss" : "redis"}://${userInfo(username, password)}${address}/0?`,
      },
    };
  },
};

function userInfo(username: string, password: string): string {
  if (password === "") {
    return username === "" ? "" : `${username}@`;
  }
  return `${username}:${password}@`;
}
