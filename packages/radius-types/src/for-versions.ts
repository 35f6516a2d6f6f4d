import type { ResourceHandler } from "@rad/resources";
import type { BuiltInType } from "./built-in-type.ts";

/** A version that a client registered has a schema of its own, which our code knows nothing of: it is only recorded. */
export function forVersions(versions: BuiltInType["versions"], code: ResourceHandler): ResourceHandler {
  const isOurs = ({ apiVersion }: { readonly apiVersion: string }): boolean => Object.hasOwn(versions, apiVersion);
  return {
    ...code,
    ...(code.problems && {
      problems: (request) => (isOurs(request) ? (code.problems?.(request) ?? []) : []),
    }),
    ...(code.references && {
      references: (resource) => (isOurs(resource) ? (code.references?.(resource) ?? []) : []),
    }),
    ...(code.validate && {
      validate: async (request) => (isOurs(request) ? await code.validate?.(request) : undefined),
    }),
    ...(code.put && { put: async (context) => (isOurs(context) ? await code.put?.(context) : undefined) }),
    ...(code.preview && {
      preview: async (context) => (isOurs(context) && (await code.preview?.(context))) || { changes: [], warnings: [] },
    }),
  };
}
