import { chmodSync, statSync, type Stats } from "node:fs";

/**
 * Says why other users may have read or changed a file that has to be ours alone, and which command mends it. What is not
 * there is no danger.
 */
export function fileExposure(path: string): string | undefined {
  const found = find(path);
  if (found === undefined) {
    return undefined;
  }
  return foreignOwner(path, found) ?? (isOpenTo(found, 0o077) ? open(path, "is open to", "600") : undefined);
}

/**
 * The same for a folder. One of ours that others could only look into is closed to them, and that is all; where they could
 * write, an administrator has to look at what they left there.
 */
export function folderExposure(path: string): string | undefined {
  const found = find(path);
  if (found === undefined) {
    return undefined;
  }
  const danger =
    foreignOwner(path, found) ?? (isOpenTo(found, 0o022) ? open(path, "can be changed by", "700") : undefined);
  if (danger === undefined && isOpenTo(found, 0o055)) {
    chmodSync(path, 0o700);
  }
  return danger;
}

/** Windows has neither owners nor modes that Node could tell. */
function find(path: string): Stats | undefined {
  return process.platform === "win32" ? undefined : statSync(path, { throwIfNoEntry: false });
}

function isOpenTo({ mode }: Stats, others: number): boolean {
  return (mode & others) !== 0;
}

function foreignOwner(path: string, { uid }: Stats): string | undefined {
  const isOurs = uid === process.getuid?.();
  return isOurs
    ? undefined
    : `${quoted(path)} belongs to another user; if it is yours, run: chown "$(id -u)" ${quoted(path)}`;
}

function open(path: string, how: string, mode: string): string {
  return `${quoted(path)} ${how} other users; if nobody has, run: chmod ${mode} ${quoted(path)}`;
}

/** As a shell reads it back. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
