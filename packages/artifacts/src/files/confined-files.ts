import { closeSync, existsSync, fstatSync, lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { openForReading, problemOf, readOpened } from "./bounded-read.ts";
import type { FileContent, FileProblem } from "./bounded-read.ts";

export type FolderContent =
  | { readonly files: readonly string[] }
  | { readonly problem: "missing" | "denied" | "file" | "outside" };

/** Reads what is below some folders and nothing else, whatever links say and other programs do meanwhile. */
export interface ConfinedFiles {
  readFile(path: string, maxBytes: number): FileContent;
  hasFile(path: string): boolean;
  /** The names of the files directly inside of a folder. */
  listFolder(path: string): FolderContent;
}

/**
 * Paths are checked twice: before they are opened, so that nothing outside is touched, and again by what was really
 * opened, because a folder may have become a link in between. What is outside is not told apart from what is not there.
 */
export function confinedFiles(roots: readonly string[]): ConfinedFiles {
  return new Confined(roots.map(rootOf));
}

interface Root {
  readonly given: string;
  readonly real: string;
}

interface Opened extends Disposable {
  readonly file: number;
  readonly path: string;
}

class Confined implements ConfinedFiles {
  readonly #roots: readonly Root[];

  constructor(roots: readonly Root[]) {
    this.#roots = roots;
  }

  readFile(path: string, maxBytes: number): FileContent {
    try {
      using opened = this.#open(path);
      return "problem" in opened ? { problem: opened.problem } : readOpened(opened.file, maxBytes);
    } catch (error) {
      return { problem: problemOf(error) };
    }
  }

  hasFile(path: string): boolean {
    try {
      using opened = this.#open(path);
      return !("problem" in opened) && fstatSync(opened.file).isFile();
    } catch {
      return false;
    }
  }

  listFolder(path: string): FolderContent {
    try {
      using opened = this.#open(path);
      if ("problem" in opened) {
        const { problem } = opened;
        return { problem: problem === "missing" || problem === "outside" ? problem : "denied" };
      }
      if (!fstatSync(opened.file).isDirectory()) {
        return { problem: "file" };
      }
      const entries = readdirSync(pathOfOpened(opened) ?? opened.path, { withFileTypes: true });
      return { files: entries.filter((entry) => entry.isFile()).map((entry) => entry.name) };
    } catch (error) {
      return { problem: problemOf(error) === "missing" ? "missing" : "denied" };
    }
  }

  #open(path: string): Opened | ({ readonly problem: FileProblem } & Disposable) {
    const absolute = resolve(path);
    const root = this.#roots.find(({ given, real }) => isInside(given, absolute) || isInside(real, absolute));
    if (root === undefined) {
      return refused("outside");
    }
    let real: string;
    try {
      real = realpathSync.native(absolute);
    } catch (error) {
      // Whether a link that leads nowhere would have led outside is nobody's business either.
      return refused(hasLink(root, absolute) ? "outside" : problemOf(error));
    }
    if (!this.#holds(real)) {
      return refused("outside");
    }
    const file = openForReading(real, { followLinks: false });
    const opened = { file, path: real, [Symbol.dispose]: () => closeSync(file) };
    if (this.#holdsOpened(opened)) {
      return opened;
    }
    closeSync(file);
    return refused("outside");
  }

  #holds(real: string): boolean {
    return this.#roots.some((root) => isInside(root.real, real));
  }

  /** Looks where an open file really is. */
  #holdsOpened(opened: Opened): boolean {
    const descriptor = pathOfOpened(opened);
    if (descriptor !== undefined) {
      return this.#holds(readlinkSync(descriptor));
    }
    // Systems without /proc: a file that the checked path leads to now is the one that was opened.
    const [now, then] = [lstatSync(realpathSync.native(opened.path)), fstatSync(opened.file)];
    return this.#holds(realpathSync.native(opened.path)) && now.ino === then.ino && now.dev === then.dev;
  }
}

/** A name for an open file that no rename can lead elsewhere; Linux has one. */
function pathOfOpened({ file }: Opened): string | undefined {
  const path = `/proc/self/fd/${file}`;
  return existsSync("/proc/self/fd") ? path : undefined;
}

function refused(problem: FileProblem): { readonly problem: FileProblem } & Disposable {
  return { problem, [Symbol.dispose]: () => {} };
}

/** The system's own way of writing a path, which on some systems also settles its letter case. */
function rootOf(folder: string): Root {
  const given = resolve(folder);
  try {
    return { given, real: realpathSync.native(given) };
  } catch {
    return { given, real: given }; // a root that does not exist holds nothing
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (!way.startsWith(`..${sep}`) && way !== ".." && !isAbsolute(way));
}

/** Whether a part of the path below its root is a link. */
function hasLink(root: Root, path: string): boolean {
  const base = isInside(root.given, path) ? root.given : root.real;
  for (let at = path; at !== base && at !== dirname(at); at = dirname(at)) {
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      return true;
    }
  }
  return false;
}
