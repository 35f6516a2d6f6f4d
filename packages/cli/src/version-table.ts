import type { CliVersion } from "./version.ts";

/** `rad version --cli`, rendered without loading the table renderer: it is the measure of how fast rad starts. */
export function versionTable(version: CliVersion): string {
  const cells: readonly (readonly [string, string])[] = [
    ["RELEASE", version.release],
    ["VERSION", version.version],
    ["BICEP", version.bicep],
    ["COMMIT", version.commit],
  ];
  const line = (pick: 0 | 1) =>
    cells
      .map((cell, index) => {
        const width = Math.max(10, ...cell.map((text) => text.length + 2));
        return index === cells.length - 1 ? cell[pick] : cell[pick].padEnd(width);
      })
      .join("");
  return `${line(0)}\n${line(1)}\n`;
}
