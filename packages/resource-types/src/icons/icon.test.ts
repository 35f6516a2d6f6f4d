import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkIcon } from "./icon.ts";

const svg = (content: string, attributes = ""): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`;

const accepted: readonly string[] = [
  svg(""),
  `<?xml version="1.0" encoding="UTF-8"?>\n<!-- a box -->\n${svg('<rect width="4" height="4"/>')}\n`,
  `\u{feff}${svg("<title>A &amp; B &#x41; &#65;</title>")}`,
  svg('<use href=" #a"/><use xlink:href="#b"/><image href="data:image/png;base64,AA=="/>'),
  svg(`<rect fill="url(#a)" stroke='url("#b")' mask="url( #c ) none" marker-end="url(#d)" cursor="pointer"/>`),
  svg('<path fill="rgb(0, 0, 0)" d="M0 0L1 1"/>'),
  svg("<text><![CDATA[a < b]]></text>"),
  '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"><svg:g/></svg:svg>',
  svg("<größe/>"),
];

const refused: readonly (readonly [why: string, icon: string])[] = [
  ["empty", ""],
  ["blank", " \n"],
  ["too large", svg("é".repeat(16 * 1024))],
  ["not XML", "hello"],
  ["another root", "<html/>"],
  ["two roots", `${svg("")}${svg("")}`],
  ["text behind the root", `${svg("")}x`],
  ["unclosed root", "<svg>"],
  ["crossed tags", svg("<a><b></a></b>")],
  ["closed too often", `${svg("")}</svg>`],
  ["a bare ampersand", svg("<title>a & b</title>")],
  ["an entity of its own", svg("<title>&nbsp;</title>")],
  ["a document type", `<!DOCTYPE svg [<!ENTITY a "b">]>${svg("&a;")}`],
  ["a stylesheet instruction", `<?xml-stylesheet href="https://example.com/a.css"?>${svg("")}`],
  ["an instruction inside", svg("<?php echo 1 ?>")],
  ["an unquoted value", "<svg width=1></svg>"],
  ["an attribute twice", '<svg width="1" width="2"></svg>'],
  ["no space between attributes", '<svg width="1"height="2"></svg>'],
  ["'<' in a value", '<svg width="<"></svg>'],
  ["an unclosed comment", svg("<!-- ")],
  ["'--' in a comment", svg("<!-- a -- b -->")],
  ["']]>' in text", svg("]]>")],
  ["a control character", svg("\u{1}")],
  ["a reference to a control character", svg("&#1;")],
  ["a reference beyond Unicode", svg("&#x110000;")],
  ["a lone surrogate", svg("\u{d800}")],
  ["script", svg("<script>alert(1)</script>")],
  ["script in other case", svg("<SCRIPT/>")],
  ["script with a prefix", svg("<svg:script/>")],
  ["style", svg("<style>a{}</style>")],
  ["foreignObject", svg("<foreignObject/>")],
  ["animate", svg("<animate/>")],
  ["animateMotion", svg("<animateMotion/>")],
  ["animateTransform", svg("<animateTransform/>")],
  ["set", svg('<set attributeName="href" to="x"/>')],
  ["discard", svg("<discard/>")],
  ["an event handler", svg('<g onclick="a()"/>')],
  ["an event handler in other case", svg("", 'onLoad="a()"')],
  ["an event handler in capitals", svg("", 'ONLOAD="a()"')],
  ["a style attribute", svg('<g style="fill:red"/>')],
  ["an outside link", svg('<use href="https://example.com/a.svg#a"/>')],
  ["a script link", svg('<a href="javascript:alert(1)"/>')],
  ["a script link in disguise", svg('<a xlink:href=" &#106;avascript:alert(1)"/>')],
  ["an outside url", svg('<g fill="url(https://example.com/a)"/>')],
  ["an outside url in other case", svg('<g mask="URL( https://example.com/a )"/>')],
  ["an outside url after a local one", svg('<g filter="url(#a) url(//example.com)"/>')],
  ["a url in disguise", svg('<g fill="&#117;rl(//example.com)"/>')],
  ["a backslash", svg('<g fill="u\\72l(//example.com)"/>')],
  ["an image set", svg(`<g mask="image-set('//example.com/a.png' 1x)"/>`)],
  ["a marker", svg('<g marker-start="url(//example.com)"/>')],
  ["a cursor", svg('<g cursor="url(//example.com/a.cur), auto"/>')],
];

test("harmless icons are accepted", () => {
  for (const icon of accepted) {
    assert.equal(checkIcon(icon), undefined, icon);
  }
});

for (const [why, icon] of refused) {
  test(`an icon with ${why} is refused in one line`, () => {
    const problem = checkIcon(icon);

    assert.match(problem ?? "accepted", /^The icon.*\.$/);
  });
}

test("that an icon is no XML counts before what it contains", () => {
  assert.match(checkIcon("<svg><script></svg>") ?? "", /well-formed/);
});

test("exactly 32 KiB are accepted", () => {
  const padding = 32 * 1024 - svg("").length;

  assert.equal(checkIcon(svg(" ".repeat(padding))), undefined);
  assert.notEqual(checkIcon(svg(" ".repeat(padding + 1))), undefined);
});

test("any text gets an answer", () => {
  const piece = fc.constantFrom(
    "<svg",
    "<a",
    "</svg>",
    ">",
    "/>",
    " ",
    '="',
    '"',
    "&amp;",
    "&",
    "<!--",
    "-->",
    "<![CDATA[",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
      checkIcon(pieces.join(""));
    }),
  );
});
