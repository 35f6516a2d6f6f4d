import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";

/** JSON pointers of the places in a schema that are marked as sensitive. */
export function sensitiveMembers(schema: JsonObject): string[] {
  const found: string[] = [];
  const visit = (value: JsonValue, pointer: string): void => {
    if (Array.isArray(value)) {
      value.forEach((item, index) => visit(item, `${pointer}/${index}`));
    } else if (isJsonObject(value)) {
      if (value["x-radius-sensitive"] === true) {
        found.push(pointer);
      }
      for (const name of Object.keys(value)) {
        const member = value[name];
        if (typeof member === "object" && member !== null) {
          visit(member, `${pointer}/${name}`);
        }
      }
    }
  };
  visit(schema, "");
  return found;
}
