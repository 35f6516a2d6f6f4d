import type { PortableType } from "../../manual-provisioning/portable-type.ts";
import { valueText } from "../../manual-provisioning/value-text.ts";

export const mongoConnection: PortableType = {
  required: ["host", "port", "database"],
  optional: ["username"],
  secrets: ["connectionString", "password"],
  compute(values, { password = "" }) {
    const server = `${valueText(values, "host")}:${valueText(values, "port")}`;
    const user = userInfo(valueText(values, "username"), password);
    return { secrets: { connectionString: `mongodb://${user}${server}/${valueText(values, "database")}` } };
  },
};

function userInfo(username: string, password: string): string {
  const parts = [username, password].filter((part) => part !== "");
  return parts.length === 0 ? "" : `${parts.join(":")}@`;
}
