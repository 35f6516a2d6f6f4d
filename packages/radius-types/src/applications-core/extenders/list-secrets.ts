import { objectMember } from "@rad/core";
import type { ListSecrets } from "../../built-in-type.ts";

/** Every secret by name, as text. */
export const listSecrets: ListSecrets = (_properties, secrets) =>
  Object.fromEntries(
    Object.entries(objectMember(secrets, "/properties/secrets")).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
