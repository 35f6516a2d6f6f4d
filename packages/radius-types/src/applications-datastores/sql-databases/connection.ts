import type { PortableType } from "../../manual-provisioning/portable-type.ts";
import { valueText } from "../../manual-provisioning/value-text.ts";

export const sqlConnection: PortableType = {
  required: ["server", "port", "database"],
  optional: ["username"],
  secrets: ["connectionString", "password"],
  compute(values, { password = "" }) {
    const members = [
      ["Data Source", `tcp:${valueText(values, "server")},${valueText(values, "port")}`],
      ["Initial Catalog", valueText(values, "database")],
      ["User Id", valueText(values, "username")],
      ["Password", password],
      ["Encrypt", "True"],
      ["TrustServerCertificate", "True"],
    ];
    return { secrets: { connectionString: members.map(([name, value]) => `${name}=${value}`).join(";") } };
  },
};
