/** Whether a deployment can have this name: 1 to 64 letters, digits, `-`, `_`, `.` and parentheses. */
export function isDeploymentName(name: string): boolean {
  return /^[-\w.()]{1,64}$/.test(name);
}
