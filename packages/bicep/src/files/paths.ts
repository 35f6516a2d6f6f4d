/**
 * Paths as the compiler sees them: absolute, `/` between segments, and either a root of `/` or a drive such as `C:/`.
 * Hosts translate to and from what their platform writes.
 */

/** Resolves `relative` against a folder, without looking at any disk. `..` above the root stays at the root. */
export function resolvePath(folder: string, relative: string): string {
  const path = isAbsolute(relative) ? relative : `${folder}/${relative}`;
  const root = rootOf(path);
  const segments: string[] = [];
  for (const segment of path.slice(root.length).split("/")) {
    if (segment === "..") {
      segments.pop();
    } else if (segment !== "" && segment !== ".") {
      segments.push(segment);
    }
  }
  return root + segments.join("/");
}

/** The folder of a path; a root is its own folder. */
export function folderOf(path: string): string {
  const root = rootOf(path);
  const slash = path.lastIndexOf("/");
  return slash < root.length ? root : path.slice(0, slash);
}

/** The last segment. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The ending from the last dot of the name on, lower-cased; empty when there is none. */
export function extensionOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot).toLowerCase();
}

/** How `path` is written from `folder`; on another drive, the path itself. */
export function relativePath(folder: string, path: string): string {
  const root = rootOf(folder);
  if (root !== rootOf(path)) {
    return path;
  }
  const from = folder.slice(root.length).split("/").filter(isName);
  const to = path.slice(root.length).split("/").filter(isName);
  let common = 0;
  while (common < from.length && common < to.length && from[common] === to[common]) {
    common += 1;
  }
  return [...from.slice(common).map(() => ".."), ...to.slice(common)].join("/");
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[a-z]:\//iu.test(path);
}

function rootOf(path: string): string {
  return /^[a-z]:\//iu.test(path) ? path.slice(0, 3) : "/";
}

function isName(segment: string): boolean {
  return segment !== "";
}
