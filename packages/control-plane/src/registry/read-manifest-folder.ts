import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { checkIcon, defaultLocation, fileProblem, ManifestError, parseManifest } from "@rad/resource-types";
import type { Manifest, ManifestLocation, ManifestProblem, ManifestType } from "@rad/resource-types";

const iconSuffix = ".svg";
/** Far above what is accepted in the end; only keeps a stray disk image out of memory. */
const maxFileBytes = 4 * 1024 * 1024;

interface Source {
  readonly file: string;
  readonly manifest: Manifest;
}

/**
 * Reads every file directly in `dir` as a manifest, except for `{type}.svg`, which is the icon of the types of that
 * name. Files of one namespace are merged; the result is in the order of the file names.
 *
 * @throws ManifestError (`InvalidManifest`) with the problems of all files.
 */
export async function readManifestFolder(dir: string): Promise<Manifest[]> {
  const problems: ManifestProblem[] = [];
  const sources: Source[] = [];
  const icons = new Map<string, string>();

  for (const name of await listFiles(dir)) {
    const file = join(dir, name);
    try {
      const text = await readText(file);
      if (name.endsWith(iconSuffix)) {
        icons.set(name.slice(0, -iconSuffix.length), readIcon(file, text));
      } else {
        sources.push({ file, manifest: parseManifest(text, file) });
      }
    } catch (error) {
      if (!(error instanceof ManifestError)) {
        throw error;
      }
      problems.push(...error.problems);
    }
  }
  const manifests = merge(sources, problems);
  if (problems.length > 0) {
    throw new ManifestError(problems);
  }
  return manifests.map((manifest) => ({
    ...manifest,
    types: manifest.types.map((type) => withIcon(type, icons.get(type.name))),
  }));
}

async function listFiles(dir: string): Promise<string[]> {
  const files: string[] = [];
  for (const name of (await orManifestError(dir, readdir(dir))).sort()) {
    // Kubernetes mounts files as symbolic links, so what counts is where a link leads.
    const target = await orManifestError(join(dir, name), stat(join(dir, name)));
    if (target.isFile()) {
      files.push(name);
    }
  }
  return files;
}

async function readText(file: string): Promise<string> {
  const { size } = await orManifestError(file, stat(file));
  if (size > maxFileBytes) {
    throw new ManifestError([fileProblem(file, "The file is too large to be a manifest or an icon.")]);
  }
  const bytes = await orManifestError(file, readFile(file));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new ManifestError([fileProblem(file, "The file is not UTF-8 text.")], { cause: error });
  }
}

function readIcon(file: string, text: string): string {
  const problem = checkIcon(text);
  if (problem !== undefined) {
    throw new ManifestError([fileProblem(file, problem)]);
  }
  return text;
}

function merge(sources: readonly Source[], problems: ManifestProblem[]): Manifest[] {
  const merged = new Map<string, Source>();
  const fileByType = new Map<string, string>();
  for (const { file, manifest } of sources) {
    const key = manifest.namespace.toLowerCase();
    for (const { name } of manifest.types) {
      const typeKey = `${key}/${name.toLowerCase()}`;
      const other = fileByType.get(typeKey);
      if (other !== undefined) {
        problems.push(fileProblem(file, `${manifest.namespace}/${name} is already defined in ${other}.`));
      }
      fileByType.set(typeKey, other ?? file);
    }
    const first = merged.get(key);
    merged.set(key, first === undefined ? { file, manifest } : combine(first, { file, manifest }, problems));
  }
  return [...merged.values()].map((source) => source.manifest);
}

function combine(first: Source, second: Source, problems: ManifestProblem[]): Source {
  const [a, b] = [first.manifest.location, second.manifest.location];
  if (!isDefault(a) && !isDefault(b) && (a.name !== b.name || a.address !== b.address)) {
    problems.push(
      fileProblem(second.file, `The location of ${second.manifest.namespace} differs from the one in ${first.file}.`),
    );
  }
  const types = [...first.manifest.types, ...second.manifest.types];
  return { file: first.file, manifest: { ...first.manifest, location: isDefault(a) ? b : a, types } };
}

function isDefault(location: ManifestLocation): boolean {
  return location.name === defaultLocation.name && location.address === undefined;
}

function withIcon(type: ManifestType, icon: string | undefined): ManifestType {
  return icon === undefined ? type : { ...type, icon };
}

async function orManifestError<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    throw new ManifestError([fileProblem(file, `cannot be read (${reason}).`)], { cause: error });
  }
}
