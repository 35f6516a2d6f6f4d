import { describeConfigKeys } from "../../packages/control-plane/src/config/describe-config-keys.ts";

const introduction = `# Configuration

<!-- Written by \`npm run docs\` from packages/control-plane/src/config; change it there. -->

\`rad server --config-file FILE\` reads YAML. Every key is optional. A server with unknown keys or wrong values does not
start, and lists all of them with line and column. Keys of upstream's configuration that have no meaning here are rejected
with a hint. Flags of \`rad server\` override the file. [Operations](operations.md) describes how the parts work together.

\`\`\`yaml
server:
  port: 9000
databaseProvider:
  provider: sqlite
  sqlite:
    directory: /var/lib/radius
logging:
  level: info
\`\`\`
`;

/** The whole page, one table per section of the file. */
export function configurationPage(): string {
  const parts = [introduction];
  for (const { key, type, default: value, doc } of describeConfigKeys()) {
    if (!key.includes(".")) {
      parts.push(`\n## ${key}\n\n${doc}\n\n| key | type | default | meaning |\n|---|---|---|---|\n`);
    } else {
      parts.push(`| \`${key}\` | ${cell(type)} | ${value === "" ? "" : `\`${value}\``} | ${cell(doc)} |\n`);
    }
  }
  return parts.join("");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
