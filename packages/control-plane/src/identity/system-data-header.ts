import { ApiError, isJsonObject } from "@rad/core";
import type { Caller, SystemData } from "@rad/resources";
import { isUtf8 } from "node:buffer";

const fields = [
  "createdBy",
  "createdByType",
  "createdAt",
  "lastModifiedBy",
  "lastModifiedByType",
  "lastModifiedAt",
] as const;
const maxFieldLength = 512;

/**
 * Reads `X-Ms-Arm-Resource-System-Data`, which counts only from the front proxy: anybody else could pose as somebody
 * else with it.
 * @throws ApiError `BadRequest` when the proxy's header is not the six fields as JSON.
 */
export function readSystemDataHeader(caller: Caller, header: string | undefined): SystemData | undefined {
  return caller.kind === "frontProxy" && header !== undefined && header !== "" ? parseHeader(header) : undefined;
}

function parseHeader(header: string): SystemData {
  const value = parseJson(header);
  if (!isJsonObject(value)) {
    throw badHeader();
  }
  const data: { -readonly [K in keyof SystemData]: SystemData[K] } = {};
  for (const field of fields) {
    const text = Object.hasOwn(value, field) ? value[field] : "";
    if (typeof text !== "string" || text.length > maxFieldLength) {
      throw badHeader();
    }
    if (text !== "") {
      data[field] = text;
    }
  }
  return data;
}

/** @param header as Node reads it: a character for each byte. */
function parseJson(header: string): unknown {
  const bytes = Buffer.from(header, "latin1");
  try {
    return isUtf8(bytes) ? JSON.parse(bytes.toString("utf8")) : undefined;
  } catch {
    return undefined;
  }
}

function badHeader(): ApiError {
  return new ApiError("BadRequest", "The header X-Ms-Arm-Resource-System-Data must be a JSON object of text fields.");
}
