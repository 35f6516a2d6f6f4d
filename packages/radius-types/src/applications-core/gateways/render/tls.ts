import { ApiError, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { textMember } from "../../../rendering/members.ts";
import type { RenderContext } from "../../../rendering/renderer.ts";

/** The `tls` of the root proxy's virtual host; empty without TLS. */
export function virtualHostTls(properties: JsonObject, context: RenderContext): JsonObject {
  const tls = objectMember(properties, "tls");
  if (tls["sslPassthrough"] === true) {
    return { tls: { passthrough: true } };
  }
  const storeId = textMember(tls, "certificateFrom");
  if (storeId === undefined) {
    return {};
  }
  const minimumProtocolVersion = textMember(tls, "minimumProtocolVersion") ?? "1.2";
  return { tls: { secretName: certificateSecret(storeId, context), minimumProtocolVersion } };
}

/** The Secret as Contour names one of any namespace: `namespace/name`. */
function certificateSecret(storeId: string, { dependencies, namespace }: RenderContext): string {
  const store = dependencies.get(storeId.toLowerCase());
  if (store === undefined) {
    throw refused(`secretStore resource ${storeId} not found`);
  }
  if (store.id.type.toLowerCase() !== "applications.core/secretstores") {
    throw refused("certificateFrom must reference a secretStore resource");
  }
  if (textMember(store.properties, "type") !== "certificate") {
    throw refused("certificateFrom must reference a secretStore resource with type certificate");
  }
  const data = objectMember(store.properties, "data");
  for (const key of ["tls.crt", "tls.key"]) {
    if (!Object.hasOwn(data, key)) {
      throw refused(`certificateFrom must reference a secretStore resource with ${key}`);
    }
  }
  const secret = textMember(store.properties, "resource") ?? store.id.name.toLowerCase();
  return secret.includes("/") ? secret : `${namespace}/${secret}`;
}

function refused(message: string): ApiError {
  return new ApiError("BadRequest", message, { target: "$.properties.tls.certificateFrom" });
}
