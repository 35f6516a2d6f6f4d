import { mkdir, open, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ArtifactError } from "../artifact-error.ts";
import { makeFolder } from "../files/make-folder.ts";
import type { ArchiveLimits } from "./archive-rules.ts";
import { readTarGzip } from "./tar-reader.ts";

/**
 * Unpacks a zip archive or a gzipped tar archive, told apart by how they begin, to a folder that must not exist yet:
 * nobody can have put a link there. Only files are written, for their owner alone. When anything about the archive is
 * refused, the folder goes away again. @returns the paths of the files in it
 * @throws ArtifactError `ArchiveInvalid`, `ArchiveTooLarge`, `EntryRefused`
 */
export async function unpackArchive(
  archive: string,
  folder: string,
  limits: ArchiveLimits,
): Promise<readonly string[]> {
  await makeFolder(dirname(folder));
  await mkdir(folder, { mode: 0o700 });
  try {
    return (await isZip(archive)) ? await unpackZip(archive, folder, limits) : await unpackTar(archive, folder, limits);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function isZip(archive: string): Promise<boolean> {
  await using file = await open(archive, "r");
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
  return buffer.toString("latin1").startsWith("PK");
}

async function unpackTar(archive: string, folder: string, limits: ArchiveLimits): Promise<readonly string[]> {
  const { size } = await stat(archive);
  if (size > limits.maxTotalBytes) {
    throw new ArtifactError("ArchiveTooLarge", `The archive is larger than ${limits.maxTotalBytes} bytes.`);
  }
  const entries = readTarGzip(await readFile(archive), limits);
  for (const { path, content } of entries) {
    await using file = await createFile(folder, path);
    await file.writeFile(content);
  }
  return entries.map(({ path }) => path);
}

async function unpackZip(archive: string, folder: string, limits: ArchiveLimits): Promise<readonly string[]> {
  const { readZip } = await import("./zip-reader.ts");
  const paths: string[] = [];
  await readZip(archive, limits, async (path, content) => {
    await using file = await createFile(folder, path);
    for await (const chunk of content) {
      await file.writeFile(chunk);
    }
    paths.push(path);
  });
  return paths;
}

async function createFile(folder: string, path: string) {
  const target = join(folder, path);
  await makeFolder(dirname(target));
  return await open(target, "wx", 0o600);
}
