/** A small program that answers `version` as the real ones do. */
export function standIn(name: "Terraform" | "OpenTofu", version: string): string {
  const { arch, platform } = process;
  const machine = `${platform}_${arch === "x64" ? "amd64" : arch}`;
  return `#!/bin/sh
case "$*" in
  "version -json") echo '{"terraform_version":"${version}","platform":"${machine}"}' ;;
  version) echo "${name} v${version}" ;;
  *) exit 2 ;;
esac
`;
}
