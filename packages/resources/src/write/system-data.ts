import { type Caller, localAdmin } from "../caller.ts";

/** Who created a resource and who changed it last, as every tracked resource shows it. */
export interface SystemData {
  readonly createdBy?: string;
  readonly createdByType?: string;
  readonly createdAt?: string;
  readonly lastModifiedBy?: string;
  readonly lastModifiedByType?: string;
  readonly lastModifiedAt?: string;
}

/** What a write by `caller` puts on record. */
export function systemDataFor(caller: Caller, now: Date): SystemData {
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
