import type { DiskHost } from "@rad/artifacts/bicep";
import { LineMap } from "@rad/bicep";
import type { Diagnostic, FileDiagnostics, ManifestTypes } from "@rad/bicep";
import type { Manifest, ManifestProblem } from "@rad/resource-types";

const maxManifests = 1_000;

/** A manifest with its text, for diagnostics. */
interface ManifestFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Reads the folders of manifests that a configuration names as extensions, and gives their types to the compiler.
 * What is wrong with the manifests comes back, with its places.
 */
export async function loadManifestFolders(
  disk: DiskHost,
  folders: readonly string[],
): Promise<readonly FileDiagnostics[]> {
  const found: FileDiagnostics[] = [];
  for (const folder of folders) {
    const listing = disk.listDirectory(folder);
    // Whatever else is wrong with the path is the compiler's to say, at the extension.
    if ("files" in listing) {
      const { types, problems } = await readFolder(disk, folder, listing.files);
      disk.setManifestTypes(folder, types);
      found.push(...problems);
    }
  }
  return found;
}

async function readFolder(
  disk: DiskHost,
  folder: string,
  names: readonly string[],
): Promise<{ readonly types: ManifestTypes; readonly problems: readonly FileDiagnostics[] }> {
  const manifestNames = names.filter((name) => /\.ya?ml$/i.test(name)).toSorted();
  if (manifestNames.length === 0) {
    return { types: { error: `"${folder}" has neither an "index.json" nor manifests (*.yaml).` }, problems: [] };
  }
  if (manifestNames.length > maxManifests) {
    return { types: { error: `"${folder}" has more than ${maxManifests} manifests.` }, problems: [] };
  }
  const { ManifestError, parseManifest, SchemaError } = await import("@rad/resource-types");
  const { createManifestPackage } = await import("@rad/resource-types/bicep");
  const manifests: Manifest[] = [];
  const problems: FileDiagnostics[] = [];
  const fileByType = new Map<string, string>();
  for (const name of manifestNames) {
    const path = `${folder}/${name}`;
    const read = disk.readFile(path);
    if ("problem" in read) {
      problems.push(
        diagnosticsOf({ path, text: "" }, [problemAt(path, `The manifest cannot be read (${read.problem}).`)]),
      );
      continue;
    }
    const text = new TextDecoder().decode(read.bytes);
    try {
      const manifest = parseManifest(text, path);
      const twice = alreadyDefined(manifest, path, fileByType);
      if (twice.length > 0) {
        problems.push(diagnosticsOf({ path, text }, twice));
      }
      const { paths, document } = createManifestPackage([manifest]);
      paths.forEach(document); // reads every schema, so that a broken reference is found here
      manifests.push(manifest);
    } catch (error) {
      if (error instanceof ManifestError) {
        problems.push(diagnosticsOf({ path, text }, error.problems));
      } else if (error instanceof SchemaError) {
        problems.push(diagnosticsOf({ path, text }, [problemAt(path, error.message)]));
      } else {
        throw error;
      }
    }
  }
  return problems.length > 0
    ? { types: { error: `The manifests in "${folder}" have errors.` }, problems }
    : { types: { documents: createManifestPackage(manifests).document }, problems };
}

function alreadyDefined(manifest: Manifest, path: string, fileByType: Map<string, string>): ManifestProblem[] {
  return manifest.types.flatMap(({ name }) => {
    const type = `${manifest.namespace}/${name}`;
    const other = fileByType.get(type.toLowerCase());
    fileByType.set(type.toLowerCase(), other ?? path);
    return other === undefined ? [] : [problemAt(path, `${type} is already defined in ${other}.`)];
  });
}

function problemAt(file: string, message: string): ManifestProblem {
  return { file, path: "$", line: 0, column: 0, message };
}

function diagnosticsOf({ path, text }: ManifestFile, problems: readonly ManifestProblem[]): FileDiagnostics {
  const lineMap = new LineMap(text);
  const diagnostics = problems.map(({ path: place, line, column, message }): Diagnostic => {
    const start = line === 0 ? 0 : Math.min(lineMap.lineStart(line) + column - 1, text.length);
    return {
      code: "invalid-manifest",
      level: "error",
      message: place === "$" ? message : `${place}: ${message}`,
      span: { start, end: Math.min(start + 1, text.length) },
    };
  });
  return { path, text, lineMap, diagnostics };
}
