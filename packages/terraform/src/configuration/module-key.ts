/**
 * The name of the module block of a recipe: the name of the recipe, made an identifier. Addresses in the state begin with
 * it, so a resource that was deployed keeps the key that it has.
 */
export function moduleKeyOf(recipeName: string): string {
  const name = recipeName.replaceAll(/[^\p{L}\p{N}_-]/gu, "_");
  return /^[\p{L}_]/u.test(name) ? name : `_${name}`;
}
