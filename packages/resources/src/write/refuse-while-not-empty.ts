import { ApiError, type ErrorDetail } from "@rad/core";
import type { StoredDocument } from "@rad/store";
import type { ResourceReader } from "../resource-access.ts";

/** How many of the things in the way a refusal names. */
export const mostNamed = 20;
const pageSize = 100;

/** @throws ApiError `Conflict` that lists what is stored below the document, types in `exceptTypes` aside. */
export async function refuseWhileNotEmpty(
  document: StoredDocument,
  resources: ResourceReader,
  exceptTypes: readonly string[],
): Promise<void> {
  const except = new Set(exceptTypes.map((type) => type.toLowerCase()));
  const inTheWay: StoredDocument[] = [];
  let after: string | undefined;
  do {
    const page = await resources.list({
      under: document.id,
      limit: pageSize,
      withoutBodies: true,
      ...(after === undefined ? {} : { after }),
    });
    inTheWay.push(...page.items.filter((item) => !except.has(item.type.toLowerCase())));
    after = page.next;
  } while (after !== undefined && inTheWay.length < mostNamed);
  if (inTheWay.length > 0) {
    throw conflictWith(document.id, inTheWay);
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
