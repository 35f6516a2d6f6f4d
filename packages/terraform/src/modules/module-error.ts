/** Why a module cannot be inspected. Callers branch on the code, never on the text. */
export type ModuleErrorCode =
  | "ModuleNotFound" // no such record or folder
  | "ModuleOutsideFolder" // a path or a link leads out of the folder that it must stay in
  | "ModuleTooLarge"
  | "ModuleUnreadable" // not as Terraform writes it, or it cannot be parsed
  | "ModuleWithoutConfiguration"; // the folder has no .tf file

/** A failure that names the file as it is called in the module, never where the module lies on this machine. */
export class ModuleError extends Error {
  override readonly name = "ModuleError";
  readonly code: ModuleErrorCode;

  constructor(code: ModuleErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}
