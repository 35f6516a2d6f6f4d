import { ApiError, isJsonObject, type JsonObject, objectMember, ResourceId } from "@rad/core";
import type { ResourceReader } from "@rad/resources";
import type { ConnectedResource } from "./recipe-context.ts";

/**
 * Reads what `properties.connections` names; sources that are no resource ids, such as URLs, are left out.
 * @throws ApiError for one that does not exist, unless those are to be left out as well
 */
export async function connectedResources(
  properties: JsonObject,
  reader: Pick<ResourceReader, "get">,
  { whenMissing }: { readonly whenMissing: "fail" | "leaveOut" },
): Promise<readonly ConnectedResource[]> {
  const connected: ConnectedResource[] = [];
  for (const [name, connection] of Object.entries(objectMember(properties, "connections"))) {
    const source = isJsonObject(connection) ? connection["source"] : undefined;
    const id = typeof source === "string" ? ResourceId.tryParse(source) : undefined;
    if (id?.kind !== "resource") {
      continue;
    }
    const document = await reader.get(id.toString());
    if (document !== undefined) {
      const found = objectMember(await document.parsed(), "properties");
      connected.push({ name, id: ResourceId.parse(document.id), properties: found });
    } else if (whenMissing === "fail") {
      throw new ApiError("BadRequest", `The connection '${name}' names "${id.toString()}", which does not exist.`, {
        target: `$.properties.connections.${name}.source`,
      });
    }
  }
  return connected;
}
