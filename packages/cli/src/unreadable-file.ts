import { CliError } from "./cli-error.ts";

/** Why a file could not be read, once and without the system's own sentence; by the code of the system or the compiler. */
export function unreadableFile(file: string, reason: string | undefined): CliError {
  switch (reason) {
    case "ENOENT":
    case "missing":
      return new CliError("FileUnreadable", `${file} does not exist.`, { missing: { kind: "files", name: file } });
    case "EISDIR":
    case "directory":
      return new CliError("FileUnreadable", `${file} is a folder, and a file was expected.`);
    case "EACCES":
    case "denied":
      return new CliError("FileUnreadable", `${file} cannot be read: permission denied.`);
    default:
      return new CliError("FileUnreadable", `${file} cannot be read (${reason ?? "unknown error"}).`);
  }
}
