import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { nearestName } from "@rad/core";
import type { MissingName } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { findNames } from "./find-names.ts";

/** `Did you mean "…"?` for a name that does not exist, when one that does is near; empty otherwise. */
export async function suggestName(context: CommandContext, missing: MissingName): Promise<string> {
  const nearest = await nearestTo(context, missing);
  return nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
}

async function nearestTo(
  context: CommandContext,
  { kind, name, group, type }: MissingName,
): Promise<string | undefined> {
  if (kind === "files") {
    const folder = dirname(name);
    const files = await readdir(resolve(context.host.cwd, folder)).catch(() => []);
    const nearest = nearestName(basename(name), files);
    return nearest === undefined ? undefined : join(folder, nearest);
  }
  const names = await findNames(context, kind, { group, type, current: "" });
  if (kind !== "types" || name.includes("/")) {
    return nearestName(name, names);
  }
  const byShortName = new Map(names.map((full) => [full.split("/").at(-1) ?? full, full]));
  return byShortName.get(nearestName(name, byShortName.keys()) ?? "");
}
