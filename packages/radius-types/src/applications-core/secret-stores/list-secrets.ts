import { ApiError, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ListSecrets } from "../../built-in-type.ts";

/**
 * The store's type and every secret with its encoding. Values come back as they were given: `raw` ones plain, `base64`
 * ones encoded.
 * @throws ApiError `Internal` for a secret whose value is not kept here.
 */
export const listSecrets: ListSecrets = (properties, secrets) => {
  const { type = "generic" } = properties;
  const usual = type === "certificate" ? "base64" : "raw";
  const stored = objectMember(properties, "data");
  const data: JsonObject = {};
  for (const key of Object.keys(stored)) {
    const { encoding = usual } = objectMember(stored, key);
    const value = secrets[`/properties/data/${key.replaceAll("~", "~0").replaceAll("/", "~1")}/value`];
    if (typeof value !== "string") {
      throw new ApiError("Internal", `The value of '${key}' is kept outside of the secret store and cannot be read.`);
    }
    data[key] = { encoding, value };
  }
  return { type, data };
};
