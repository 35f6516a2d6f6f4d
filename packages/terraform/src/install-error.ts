import { ArtifactError } from "@rad/artifacts";
import type { ArtifactErrorCode } from "@rad/artifacts";

/** Why an install failed. Callers branch on the code, never on the text. */
export type InstallErrorCode =
  | "ArchiveRefused" // not an archive with the binary in it, hostile, or too large
  | "BinaryRefused" // does not run, or not as Terraform and OpenTofu do
  | "ChecksumMismatch"
  | "DownloadFailed" // the server cannot be reached, breaks off, or says no
  | "DownloadRefused" // the URL, a redirect or an address is not allowed
  | "IndexInvalid"
  | "KeyMissing"
  | "NotPublished" // the server has no such release, or no sums for it
  | "SignatureRefused"
  | "SumsInvalid"
  | "TimedOut"
  | "TlsFailed"
  | "VolumeFull"
  | "VolumeUnusable"
  | "WrongArchitecture"
  | "WrongProduct"
  | "WrongVersion";

/**
 * A failure that a platform engineer can read and act on. Messages name hosts, paths and versions, but no user, password
 * or query of a URL.
 */
export class InstallError extends Error {
  override readonly name = "InstallError";
  readonly code: InstallErrorCode;

  constructor(code: InstallErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

const codes: Readonly<Partial<Record<ArtifactErrorCode, InstallErrorCode>>> = {
  AddressRefused: "DownloadRefused",
  ArchiveInvalid: "ArchiveRefused",
  ArchiveTooLarge: "ArchiveRefused",
  CertificateRefused: "TlsFailed",
  DigestMismatch: "ChecksumMismatch",
  EntryRefused: "ArchiveRefused",
  HostRefused: "DownloadRefused",
  HttpStatus: "DownloadFailed",
  InsecureRedirect: "DownloadRefused",
  InsecureUrl: "DownloadRefused",
  Interrupted: "DownloadFailed",
  InvalidAnswer: "DownloadFailed",
  InvalidProxy: "DownloadRefused",
  InvalidUrl: "DownloadRefused",
  LockFailed: "VolumeUnusable",
  RedirectRefused: "DownloadRefused",
  TimedOut: "TimedOut",
  TooLarge: "ArchiveRefused",
  TooManyRedirects: "DownloadRefused",
  Unreachable: "DownloadFailed",
};

const caHint =
  "If the server's certificate is by a private authority, give that with --ca-bundle or in terraform.installer.caBundle.";
const fullCodes: ReadonlySet<string | undefined> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** What failed below, as an `InstallError`; what is a bug or an aborted signal comes back as it is. */
export function asInstallError(error: unknown, root: string): unknown {
  if (error instanceof InstallError) {
    return error;
  }
  const system = systemCodeOf(error);
  const isOfDisk = error instanceof ArtifactError && ["FileUnwritable", "LockFailed"].includes(error.code);
  if (error instanceof ArtifactError && !(isOfDisk && system !== undefined)) {
    const isTls = error.code === "CertificateRefused" || /^ERR_(?:SSL|TLS)|^EPROTO$/u.test(error.reason ?? "");
    const code = isTls ? "TlsFailed" : codes[error.code];
    const message = isTls ? `${error.message} ${caHint}` : error.message;
    return code === undefined ? error : new InstallError(code, message, { cause: error });
  }
  if (system === undefined) {
    return error;
  }
  return fullCodes.has(system)
    ? new InstallError(
        "VolumeFull",
        `The volume ${root} has no room for the binary (${system}). Make room and install again.`,
        { cause: error },
      )
    : new InstallError(
        "VolumeUnusable",
        `The volume ${root} cannot be used (${system}). It must be a folder that the control plane may write.`,
        { cause: error },
      );
}

/** Of a failed call of the file system, by whatever it is wrapped in. */
function systemCodeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = at instanceof ArtifactError ? at.reason : "code" in at ? at.code : undefined;
    if (typeof code === "string" && /^E[A-Z0-9]+$/u.test(code)) {
      return code;
    }
  }
  return undefined;
}
