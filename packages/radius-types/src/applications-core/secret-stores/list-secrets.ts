import { ApiError } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { KubernetesObject } from "@rad/kubernetes";
import { decodeBase64, decodeUtf8Strictly } from "@rad/templates/bytes";
import type { ListSecrets } from "../../built-in-type.ts";
import { type SecretEntry, secretEntries, storeType } from "./secret-entries.ts";
import { dataOf } from "./secret-object.ts";

/**
 * The store's type and every secret with its encoding, from the sealed values. They come back as they were given: `raw`
 * ones plain, `base64` ones encoded.
 * @throws ApiError `Internal` for a secret whose value is not kept here.
 */
export const listSecrets: ListSecrets = (properties, secrets) =>
  listed(properties, secretEntries(properties, secrets), ({ key, value }) => {
    if (value === undefined) {
      throw new ApiError("Internal", `The value of '${key}' is kept outside of the secret store and cannot be read.`);
    }
    return value;
  });

/** The same from the Secret behind the store, as it is now. */
export function listSecretsOf(secret: KubernetesObject, properties: JsonObject): JsonObject {
  const { namespace = "", name } = secret.metadata;
  return listed(properties, secretEntries(properties, {}), ({ key, encoding }) => {
    const data = dataOf(secret, key);
    if (data === undefined) {
      throw new ApiError("Internal", `'${namespace}/${name}' resource does not have key, '${key}'.`);
    }
    if (encoding === "base64") {
      return data;
    }
    const text = decodeUtf8Strictly(decodeBase64(data) ?? new Uint8Array());
    if (text === undefined) {
      throw new ApiError(
        "Internal",
        `The value of '${key}' in '${namespace}/${name}' is not text. Set its 'encoding' to 'base64' in the secret store.`,
      );
    }
    return text;
  });
}

function listed(
  properties: JsonObject,
  entries: readonly SecretEntry[],
  read: (entry: SecretEntry) => string,
): JsonObject {
  const data = entries.map((entry) => [entry.key, { encoding: entry.encoding, value: read(entry) }] as const);
  return { type: storeType(properties), data: Object.fromEntries(data) };
}
