import { objectMember } from "@rad/core";
import type { ListSecrets } from "../built-in-type.ts";

/** Answers with these members of the `secrets` object, empty where a value is not known. */
export function listedSecrets(...names: readonly string[]): ListSecrets {
  return (_properties, secrets) => {
    const known = objectMember(secrets, "/properties/secrets");
    return Object.fromEntries(names.map((name) => [name, typeof known[name] === "string" ? known[name] : ""]));
  };
}
