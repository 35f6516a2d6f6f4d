import type { ResourceHandler, Validated, ValidateRequest } from "@rad/resources";

type Validating = Pick<ResourceHandler, "validate">;

/** The checks of two handlers on one request, the second on what the first made of it; none when neither has any. */
export function chainValidation(first: Validating, second: Validating): ResourceHandler["validate"] {
  if (first.validate === undefined && second.validate === undefined) {
    return undefined;
  }
  return async (request: ValidateRequest): Promise<Validated> => {
    const one = (await first.validate?.(request)) ?? {};
    const properties = one.properties ?? request.properties;
    const two = (await second.validate?.({ ...request, properties })) ?? {};
    return {
      properties: two.properties ?? properties,
      guards: [...(one.guards ?? []), ...(two.guards ?? [])],
      secrets: { ...one.secrets, ...two.secrets },
      also: [...(one.also ?? []), ...(two.also ?? [])],
      warnings: [...(one.warnings ?? []), ...(two.warnings ?? [])],
    };
  };
}
