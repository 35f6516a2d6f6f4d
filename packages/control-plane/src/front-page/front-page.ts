import { createHash } from "node:crypto";
import { documentation, type FrontPageLink } from "./front-page-route.ts";

const style = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; }
h1 small { font-weight: normal; opacity: 0.7; }
li { margin: 0.3rem 0; }
code { font-family: ui-monospace, monospace; }
.token { opacity: 0.7; }
`;

/** The browser may use this style and load nothing else, and no other page may embed this one. */
export const frontPageHeaders: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
  Vary: "Accept",
};

export interface FrontPageOptions {
  readonly version: string;
  readonly links: readonly FrontPageLink[];
}

/** Links are relative: the server may be reached below any base path. */
export function frontPage({ version, links }: FrontPageOptions): string {
  const items = links.map(({ path, title, needsToken }) => {
    const note = needsToken ? ' <span class="token">(needs a token)</span>' : "";
    return `<li><a href=".${escapeHtml(path)}">${escapeHtml(title)}</a>${note}</li>\n`;
  });
  const pages = documentation.map((file) => `<li><code>${escapeHtml(file)}</code></li>\n`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Radius</title>
<style>${style}</style>
</head>
<body>
<h1>Radius <small>${escapeHtml(version)}</small></h1>
<p>This is a Radius control plane. Use it with <code>rad</code>, or call its API:</p>
<ul>
${items.join("")}</ul>
<p>Send a token as <code>Authorization: Bearer …</code>; <code>docs/api.md</code> shows how. The repository has these pages:</p>
<ul>
${pages.join("")}</ul>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
