import { ApiError, formatPath, inSlices, isJsonObject, jsonPointer, type JsonValue, objectMember } from "@rad/core";
import type { Store, StoredDocument } from "@rad/store";
import { shownAsNull } from "../handling/apply-result.ts";
import { hideSecrets } from "../handling/hide-secrets.ts";
import type { ResourceRequest } from "../resource-request.ts";
import type { ServedType } from "../types/served-type.ts";
import { hasNull } from "./carried-over.ts";

/** A request's body, and what it was made from. */
export interface RequestBody {
  readonly body: JsonValue | undefined;
  /** What the body was made from and has to replace, or a change in between would be lost. */
  readonly basis?: StoredDocument;
  /** JSON pointers of sealed values that were put back into the body. */
  readonly kept?: readonly string[];
}

/**
 * Puts sealed values back where the body has the `null` that a GET shows for them, for types whose handler has
 * `keepsSealed`: a client that reads, changes and writes loses nothing.
 * @throws ApiError `BadRequest` where the handler does not let a value stay
 */
export async function keepSealed(
  store: Store,
  request: ResourceRequest,
  { handler }: ServedType,
  { body, basis }: RequestBody,
): Promise<RequestBody> {
  const properties = isJsonObject(body) ? objectMember(body, "properties") : {};
  if (handler.keepsSealed === undefined || !isJsonObject(body) || !(await inSlices(hasNull(properties)))) {
    return { body, ...(basis && { basis }) };
  }
  const current = basis ?? (await store.get(request.id.toString()));
  if (current === undefined) {
    return { body };
  }
  const before = objectMember(await current.parsed(), "properties");
  const sealed = await inSlices(shownAsNull({ properties: before }, await store.secrets(current.id)));
  const kept = await inSlices(shownAsNull({ properties }, sealed));
  await inSlices(hideSecrets((values) => request.hide(values), kept));
  for (const pointer of Object.keys(kept)) {
    const [, ...path] = jsonPointer.parts(pointer);
    if (!handler.keepsSealed({ path, before, after: properties })) {
      throw new ApiError(
        "BadRequest",
        "'null' stands for a sealed value here, and what the value is for has changed. Send the value again, or leave the member out.",
        { target: formatPath(["properties", ...path]) },
      );
    }
  }
  const complete = await inSlices(jsonPointer.setAll({ properties }, Object.entries(kept)));
  return { body: { ...body, ...complete }, basis: current, kept: Object.keys(kept) };
}
