import { inSlices, isJsonObject, Pace, readOwnJson } from "@rad/core";
import type { JsonValue, Sliced } from "@rad/core";
import { InstallError } from "../install-error.ts";
import type { Platform } from "../platform.ts";
import { productNames } from "../product.ts";
import type { Product } from "../product.ts";
import { newestOf } from "./version.ts";

/**
 * The newest release that an index lists for a platform; pre-releases do not count. An index has megabytes, or as much as a
 * server that means harm sends.
 * @throws InstallError `IndexInvalid`
 */
export async function newestRelease(product: Product, index: string, platform: Platform): Promise<string> {
  return await inSlices(newestIn(product, index, platform));
}

export function* newestIn(product: Product, index: string, platform: Platform): Sliced<string> {
  let parsed: JsonValue;
  try {
    parsed = yield* readOwnJson(index);
  } catch {
    throw invalid(product, "is not JSON");
  }
  const pace = new Pace();
  let newest: string | undefined;
  for (const version of versionsIn(product, parsed, platform)) {
    newest = newestOf(newest === undefined ? [version] : [newest, version]);
    const pause = pace.spend(stepsPerVersion);
    if (pause !== undefined) {
      yield pause;
    }
  }
  if (newest === undefined) {
    throw invalid(product, `lists no release for ${platform.os}_${platform.arch}`);
  }
  return newest;
}

/** Looking at a release takes some microseconds. */
const stepsPerVersion = 5;

/** Every version, and an empty text in the place of one that has nothing for the platform. */
function* versionsIn(product: Product, index: JsonValue, platform: Platform): Generator<string> {
  const versions = isJsonObject(index) ? index["versions"] : undefined;
  if (product === "terraform" && isJsonObject(versions)) {
    for (const version of Object.keys(versions)) {
      yield hasBuild(versions[version] ?? null, platform) ? version : "";
    }
  } else if (product === "opentofu" && Array.isArray(versions)) {
    for (const release of versions) {
      const id = isJsonObject(release) ? release["id"] : undefined;
      yield isJsonObject(release) && typeof id === "string" && hasFile(release, id, platform) ? id : "";
    }
  } else {
    throw invalid(product, "has no list of versions");
  }
}

/** `{"builds": [{"os", "arch"}]}`; a release that says nothing about builds is taken to have them all. */
function hasBuild(release: JsonValue, { os, arch }: Platform): boolean {
  const builds = isJsonObject(release) ? release["builds"] : undefined;
  return (
    !Array.isArray(builds) ||
    builds.some((build) => isJsonObject(build) && build["os"] === os && build["arch"] === arch)
  );
}

/** `{"id", "files": ["tofu_…"]}` */
function hasFile(release: JsonValue, version: string, { os, arch }: Platform): boolean {
  const files = isJsonObject(release) ? release["files"] : undefined;
  return !Array.isArray(files) || files.includes(`tofu_${version}_${os}_${arch}.zip`);
}

function invalid(product: Product, why: string): InstallError {
  return new InstallError(
    "IndexInvalid",
    `The index of ${productNames[product]} releases ${why}. Give a version, or configure indexUrl.`,
  );
}
