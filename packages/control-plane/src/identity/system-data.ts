import { ApiError, isJsonObject } from "@rad/core";
import type { Caller } from "./caller.ts";
import { localAdmin } from "./names.ts";

/** Who created a resource and who changed it last, as every tracked resource shows it. */
export interface SystemData {
  readonly createdBy?: string;
  readonly createdByType?: string;
  readonly createdAt?: string;
  readonly lastModifiedBy?: string;
  readonly lastModifiedByType?: string;
  readonly lastModifiedAt?: string;
}

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
 * What a write by `caller` puts on record. `header` is `X-Ms-Arm-Resource-System-Data`, which counts only from the
 * front proxy: anybody else could pose as somebody else with it.
 *
 * @throws ApiError `BadRequest` when the proxy's header is not the six fields as JSON.
 */
export function systemDataFor(caller: Caller, header: string | undefined, now: Date): SystemData {
  if (caller.kind === "frontProxy" && header !== undefined && header !== "") {
    return parseHeader(header);
  }
  const by = caller.subject;
  const type = isApplication(caller) ? "Application" : "User";
  const at = now.toISOString();
  return {
    createdBy: by,
    createdByType: type,
    createdAt: at,
    lastModifiedBy: by,
    lastModifiedByType: type,
    lastModifiedAt: at,
  };
}

/**
 * Creation is recorded once. A resource without a creation record takes over that of the write, or failing that its
 * modification record. The modification record is that of the write, if it has one.
 */
export function mergeSystemData(previous: SystemData | undefined, current: SystemData): SystemData {
  const modified = pickModified(current.lastModifiedAt === undefined ? (previous ?? {}) : current);
  const creator = [previous, current].find((data) => data?.createdAt !== undefined);
  return { ...(creator === undefined ? asCreated(modified) : pickCreated(creator)), ...modified };
}

function isApplication(caller: Caller): boolean {
  const isConfiguredToken = caller.kind === "token" && caller.subject !== localAdmin;
  return isConfiguredToken || caller.subject.startsWith("proxy:system:serviceaccount:");
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function badHeader(): ApiError {
  return new ApiError("BadRequest", "The header X-Ms-Arm-Resource-System-Data must be a JSON object of text fields.");
}

function pickCreated({ createdBy, createdByType, createdAt }: SystemData): SystemData {
  return withoutUndefined({ createdBy, createdByType, createdAt });
}

function pickModified({ lastModifiedBy, lastModifiedByType, lastModifiedAt }: SystemData): SystemData {
  return withoutUndefined({ lastModifiedBy, lastModifiedByType, lastModifiedAt });
}

function asCreated({ lastModifiedBy, lastModifiedByType, lastModifiedAt }: SystemData): SystemData {
  return withoutUndefined({
    createdBy: lastModifiedBy,
    createdByType: lastModifiedByType,
    createdAt: lastModifiedAt,
  });
}

function withoutUndefined(data: { [K in keyof SystemData]: SystemData[K] | undefined }): SystemData {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}
