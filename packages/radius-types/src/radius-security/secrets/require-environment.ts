import { ApiError } from "@rad/core";
import type { JsonObject, ResourceId } from "@rad/core";

/** A resource, or the request for one. */
interface Placed {
  readonly id: ResourceId;
  readonly properties: JsonObject;
}

/** A secret of the plane is for the environments of all groups, so it need not belong to one. It is only stored then. */
export function isOfThePlane({ id, properties: { environment, application } }: Placed): boolean {
  return id.resourceGroup === undefined && environment === undefined && application === undefined;
}

/** In a group the environment decides where the secret is deployed. @throws ApiError as for a member of the schema */
export function requireEnvironment(request: Placed): void {
  if (request.properties["environment"] === undefined && !isOfThePlane(request)) {
    throw new ApiError(
      "HttpRequestPayloadAPISpecValidationFailed",
      "HTTP request payload failed validation against API specification with one or more errors. Please see details for more information.",
      {
        target: request.id.type.toLowerCase(),
        details: [{ code: "InvalidProperties", message: "$.properties.environment in body is required" }],
      },
    );
  }
}
