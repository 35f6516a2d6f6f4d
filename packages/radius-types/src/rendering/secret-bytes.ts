import { ApiError } from "@rad/core";
import { encodeBase64, encodeUtf8 } from "@rad/templates/bytes";

/**
 * A value as the `data` of a Secret holds it: the bytes in base64.
 * @param target of the error: `$.properties.data.key`
 * @throws ApiError for a value that is said to be base64 and is not; it does not show the value.
 */
export function secretData(value: string, encoding: string, target: string): string {
  if (encoding !== "base64") {
    return encodeBase64(encodeUtf8(value));
  }
  const compact = value.replaceAll(/\s/g, "");
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact)) {
    throw new ApiError("BadRequest", `The value of ${target} has the encoding 'base64', and is not valid base64.`, {
      target,
    });
  }
  return compact;
}
