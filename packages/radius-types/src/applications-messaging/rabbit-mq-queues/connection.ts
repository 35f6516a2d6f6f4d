import type { PortableType } from "../../manual-provisioning/portable-type.ts";
import { valueText } from "../../manual-provisioning/value-text.ts";

const tlsPort = 5671;

export const rabbitMQConnection: PortableType = {
  required: ["queue", "host", "port"],
  optional: ["vHost", "username", "tls"],
  secrets: ["password", "uri"],
  compute(values, { password = "" }) {
    const tls = values["tls"] ?? values["port"] === tlsPort;
    const username = valueText(values, "username");
    const user = username === "" && password === "" ? "" : `${username}:${password}@`;
    const address = `${valueText(values, "host")}:${valueText(values, "port")}/${valueText(values, "vHost")}`;
    return { values: { tls }, secrets: { uri: `${tls === true ? "amqps" : "amqp"}://${user}${address}` } };
  },
};
