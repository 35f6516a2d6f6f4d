/**
 * Splits `terraform-aws-modules/rds/aws:6.1.0` as recipe packs write it. A colon that belongs to a scheme, a host with
 * its port or `git@host:path` is no separator: the version follows the last slash.
 */
export function splitModuleVersion(source: string): { readonly source: string; readonly version?: string } {
  const slash = source.lastIndexOf("/");
  const colon = source.indexOf(":", slash);
  if (source.includes("://") || slash < 0 || colon < 0 || colon === source.length - 1) {
    return { source };
  }
  return { source: source.slice(0, colon), version: source.slice(colon + 1) };
}
