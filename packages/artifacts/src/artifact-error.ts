/** What can go wrong with something that is fetched, unpacked or cached. Callers branch on the code, never on the text. */
export type ArtifactErrorCode =
  // downloads
  | "AddressRefused"
  | "CertificateRefused"
  | "DigestMismatch"
  | "FileUnwritable"
  | "HostRefused"
  | "HttpStatus"
  | "InsecureRedirect"
  | "InsecureUrl"
  | "Interrupted"
  | "InvalidAnswer"
  | "InvalidProxy"
  | "InvalidUrl"
  | "RedirectRefused"
  | "TimedOut"
  | "TooLarge"
  | "TooManyRedirects"
  | "Unreachable"
  // archives
  | "ArchiveInvalid"
  | "ArchiveTooLarge"
  | "EntryRefused"
  // registries
  | "ArtifactInvalid"
  | "ArtifactNotFound"
  | "ArtifactTooLarge"
  | "CredentialsInvalid"
  | "CredentialsUnreadable"
  | "RegistryFailed"
  | "RegistryUnauthorized"
  | "RegistryUnreachable"
  | "TemplateSpecNotSupported"
  // files
  | "Locked"
  | "LockFailed";

export interface ArtifactErrorOptions {
  readonly cause?: unknown;
  /** The status of an answer. */
  readonly status?: number;
  /** The system's own code: `ECONNREFUSED`, `ENOSPC`, … */
  readonly reason?: string;
}

/**
 * A failure that the caller can read and act on. Messages name hosts, paths and entries, but never what may be a secret:
 * no query, no user, no header, no content.
 */
export class ArtifactError extends Error {
  override readonly name = "ArtifactError";
  readonly code: ArtifactErrorCode;
  readonly status: number | undefined;
  readonly reason: string | undefined;

  constructor(code: ArtifactErrorCode, message: string, options: ArtifactErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.reason = options.reason;
  }
}
