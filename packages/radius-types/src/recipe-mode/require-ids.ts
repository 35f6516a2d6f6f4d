import { ResourceId } from "@rad/core";
import { validationFailed } from "./validation-failed.ts";

/** @throws ApiError `RecipeValidationFailed` for ids that are none. */
export function requireIds(ids: readonly string[]): void {
  const wrong = ids.filter((id) => !namesOne(id));
  if (wrong.length > 0) {
    throw validationFailed(wrong.map((id) => `resource id "${id}" returned by recipe is invalid`));
  }
}

/** A resource, or a scope such as the Azure resource group that a recipe made. Collections are many. */
function namesOne(text: string): boolean {
  const id = ResourceId.tryParse(text);
  switch (id?.kind) {
    case "resource":
    case "extensionResource":
      return true;
    case "scope":
      return id.scopes.length > 0;
    default:
      return false;
  }
}
