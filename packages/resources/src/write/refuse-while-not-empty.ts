import { ApiError, type ErrorDetail } from "@rad/core";
import type { StoredDocument } from "@rad/store";
import type { ResourceReader } from "../resource-access.ts";

/** How many of the things in the way a refusal names. */
export const mostNamed = 20;

/** @throws ApiError `Conflict` that lists what is stored below the document. */
export async function refuseWhileNotEmpty(document: StoredDocument, resources: ResourceReader): Promise<void> {
  const { items } = await resources.list({ under: document.id, limit: mostNamed, withoutBodies: true });
  if (items.length > 0) {
    throw conflictWith(document.id, items);
  }
}

/** The refusal to delete `id` because of `inTheWay`, naming the first of them. */
export function conflictWith(id: string, inTheWay: readonly StoredDocument[]): ApiError {
  const details = inTheWay.slice(0, mostNamed).map((item): ErrorDetail => {
    return { code: "Conflict", message: `'${item.id}' still exists.`, target: item.id };
  });
  return new ApiError(
    "Conflict",
    `'${id}' cannot be deleted while resources depend on it, such as '${inTheWay[0]?.id}'. Delete those first.`,
    { target: id, details },
  );
}
