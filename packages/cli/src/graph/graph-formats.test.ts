import assert from "node:assert/strict";
import { test } from "node:test";
import { instance } from "@viz-js/viz";
import parseDot, { type NodeStmt } from "dotparser";
import fc from "fast-check";
import { SaxesParser } from "saxes";
import { graphDot } from "./graph-dot.ts";
import { graphMermaid } from "./graph-mermaid.ts";
import { graphSvg } from "./graph-svg.ts";
import { graphText } from "./graph-text.ts";
import { largeGraph, sampleGraph, smallGraph } from "./sample-graphs.ts";
import { shownGraph } from "./shown-graph.ts";

const small = shownGraph("shop", smallGraph);
const related = shownGraph(
  "shop",
  sampleGraph([
    { type: "A.B/c", name: "one", after: [1], more: { provisioningState: "Failed" } },
    { type: "A.B/c", name: "two" },
  ]),
);
const none = shownGraph("shop", { resources: [] });

test("the text has upstream's layout: containers first, connections out before those in, an empty line at the end", () => {
  assert.equal(
    graphText(small, { links: false }),
    `Displaying application: shop

Name: web (Applications.Core/containers)
Connections:
  web -> cache (Applications.Datastores/redisCaches)
  edge (Applications.Core/gateways) -> web
Resources:
  web (apps/Deployment)
  web (core/Service)

Name: edge (Applications.Core/gateways)
Connections:
  edge -> web (Applications.Core/containers)
Resources:
  edge (projectcontour.io/HTTPProxy)

Name: cache (Applications.Datastores/redisCaches)
Connections:
  web (Applications.Core/containers) -> cache
Resources: (none)


`,
  );
});

test("a resource without connections, and a graph without resources, say so", () => {
  const alone = shownGraph("shop", sampleGraph([{ type: "A.B/c", name: "one" }]));

  assert.match(graphText(alone, { links: false }), /^Connections: \(none\)\nResources: \(none\)$/m);
  assert.equal(graphText(none, { links: false }), "Displaying application: shop\n\n(empty)\n\n\n");
});

test("an output resource with a portal URL is a link on a terminal", () => {
  const outputResources = [
    { id: "", type: "Microsoft.Sql/servers", name: "sql", portalUrl: "https://p.example/\u0007#x" },
  ];
  const graph = shownGraph("shop", sampleGraph([{ type: "A.B/c", name: "one", more: { outputResources } }]));

  const link = "\u001b]8;;https://p.example/ #x\u0007sql\u001b]8;;\u0007";
  assert.ok(graphText(graph, { links: true }).includes(`\n  ${link} (Microsoft.Sql/servers)\n`));
  assert.match(graphText(graph, { links: false }), /^ {2}sql \(Microsoft\.Sql\/servers\)$/m);
});

const scope = "/planes/radius/local/resourceGroups/shop/providers";

test("dot has a box for each resource and an arrow for each connection", () => {
  assert.equal(
    graphDot(small),
    `digraph "shop" {
  rankdir=LR;
  node [shape=box, style=rounded, fontname="Helvetica"];
  n1 [label="edge\\nApplications.Core/gateways", tooltip="${scope}/Applications.Core/gateways/edge"];
  n2 [label="web\\nApplications.Core/containers", tooltip="${scope}/Applications.Core/containers/web"];
  n3 [label="cache\\nApplications.Datastores/redisCaches", tooltip="${scope}/Applications.Datastores/redisCaches/cache"];
  n1 -> n2;
  n2 -> n3;
}
`,
  );
  assert.match(graphDot(related), /n1 -> n2 \[style=dashed\];/);
});

test("mermaid has a box for each resource and an arrow for each connection", () => {
  assert.equal(
    graphMermaid(small),
    `flowchart LR
  n1["edge<br/>Applications.Core/gateways"]
  n2["web<br/>Applications.Core/containers"]
  n3["cache<br/>Applications.Datastores/redisCaches"]
  n1 --> n2
  n2 --> n3
`,
  );
  assert.equal(
    graphMermaid(related),
    'flowchart LR\n  n1["one<br/>A.B/c (Failed)"]\n  n2["two<br/>A.B/c"]\n  n1 -.-> n2\n',
  );
});

test("the SVG has a box with name and type for each resource and an arrow for each connection", async () => {
  const svg = await graphSvg(small);

  assert.deepEqual(svg.split("\n").slice(svg.split("\n").indexOf("  </defs>") + 1), [
    '  <rect class="paper" width="100%" height="100%"/>',
    '  <path class="line" d="M 224 56.5 L 236 56.5 C 269 56.5 269 56.5 302 56.5 L 314 56.5" marker-end="url(#arrow)"/>',
    '  <path class="line" d="M 518 56.5 L 530 56.5 C 563 56.5 563 56.5 596 56.5 L 608 56.5" marker-end="url(#arrow)"/>',
    "  <g>",
    `    <title>${scope}/Applications.Core/gateways/edge</title>`,
    '    <rect class="box" x="24" y="24" width="200" height="65" rx="8"/>',
    '    <text class="name" x="38" y="53" font-size="15">edge</text>',
    '    <text class="type" x="38" y="70" font-size="11">Applications.Core/gateways</text>',
    "  </g>",
    "  <g>",
    `    <title>${scope}/Applications.Core/containers/web</title>`,
    '    <rect class="box" x="314" y="24" width="204" height="65" rx="8"/>',
    '    <text class="name" x="328" y="53" font-size="15">web</text>',
    '    <text class="type" x="328" y="70" font-size="11">Applications.Core/containers</text>',
    "  </g>",
    "  <g>",
    `    <title>${scope}/Applications.Datastores/redisCaches/cache</title>`,
    '    <rect class="box" x="608" y="24" width="254" height="65" rx="8"/>',
    '    <text class="name" x="622" y="53" font-size="15">cache</text>',
    '    <text class="type" x="622" y="70" font-size="11">Applications.Datastores/redisCaches</text>',
    "  </g>",
    "</svg>",
    "",
  ]);
});

test("the SVG of nothing says so, icons are images, and dependencies are dashed", async () => {
  const icon = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="1"/></svg>';
  const pictured = sampleGraph([{ type: "A.B/c", name: "one", more: { iconHash: "h" } }], { h: icon });

  assert.match(await graphSvg(none), />\(empty\)</);
  assert.match(await graphSvg(related), /<path class="line dependency"/);
  const svg = await graphSvg(shownGraph("shop", pictured));
  assert.ok(svg.includes(`href="data:image/svg+xml;base64,${Buffer.from(icon).toString("base64")}"`));
});

test("whatever the names are, parsers of dot, XML and Mermaid read back the same resources and edges", async () => {
  const hostile = fc.oneof(
    fc.constantFrom(
      '"',
      "\\",
      "\\N",
      "a\nb",
      "<script>",
      "&amp;",
      "]]>",
      "`x`",
      "#quot;",
      "end",
      "-->",
      '"]',
      "\u001b[1m",
    ),
    fc.string(),
    fc.string({ unit: "binary" }),
  );
  const names = fc.array(fc.tuple(hostile, hostile), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(names, hostile, async (pairs, application) => {
      const graph = shownGraph(
        application,
        sampleGraph(
          pairs.map(([name, type], index) => ({
            name,
            type,
            to: index === 0 ? pairs.map((_, end) => end).slice(1) : [],
          })),
        ),
      );
      const labels = graph.nodes.map(({ name, type }) => ({ name, type }));
      const { length } = graph.edges;

      const [digraph] = parseDot(graphDot(graph));
      const boxes = digraph?.children.filter((statement) => statement.type === "node_stmt") ?? [];
      assert.deepEqual(boxes.map(readLabel), labels);
      assert.equal(digraph?.children.filter(({ type }) => type === "edge_stmt").length, length);

      const mermaid = graphMermaid(graph).split("\n").slice(1, -1);
      assert.deepEqual(mermaid.slice(0, pairs.length).map(readBox), labels);
      assert.ok(mermaid.slice(pairs.length).every((line) => /^ {2}n\d+ --> n\d+$/.test(line)));

      const titles = readTitles(await graphSvg(graph));
      assert.equal(titles.length, pairs.length + 1);

      const text = graphText(graph, { links: false });
      assert.equal(text.match(/^Name: /gm)?.length, pairs.length);
      // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
      assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    }),
    { numRuns: 60 },
  );
});

function readLabel(statement: NodeStmt): { readonly name: string; readonly type: string } {
  const label = String(statement.attr_list.find(({ id }) => id === "label")?.eq);
  const [, name, type] = /^([^\\"]*)\\n([^\\"]*)$/.exec(label) ?? assert.fail(label);
  const decoded = (text = ""): string =>
    text.replaceAll("&quot;", '"').replaceAll("&#92;", "\\").replaceAll("&amp;", "&");
  return { name: decoded(name), type: decoded(type) };
}

function readBox(line: string): { readonly name: string; readonly type: string } {
  const [, name, type] = /^ {2}n\d+\["([^"`<>&]*)<br\/>([^"`<>&]*)"\]$/.exec(line) ?? assert.fail(line);
  const decoded = (text = ""): string =>
    text.replaceAll(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
  return { name: decoded(name), type: decoded(type) };
}

/** @throws when the text is not XML */
function readTitles(svg: string): string[] {
  const titles: string[] = [];
  const parser = new SaxesParser();
  const open: string[] = [];
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => open.push(name));
  parser.on("closetag", () => open.pop());
  parser.on("text", (text) => {
    if (open.at(-1) === "title") {
      titles.push(text);
    }
  });
  parser.write(svg.replaceAll("<title></title>", "<title> </title>")).close();
  return titles;
}

test("what is not of the shape of a graph is left out", () => {
  for (const resources of [null, "x", [null, 1, {}], [{ connections: [{}, null], outputResources: {} }]]) {
    assert.doesNotThrow(() => graphText(shownGraph("shop", { resources }), { links: true }));
  }
  assert.deepEqual(shownGraph("shop", {}), { application: "shop", nodes: [], edges: [] });
});

test("Graphviz draws 50 resources", async () => {
  const drawn = (await instance()).renderString(graphDot(shownGraph("shop", largeGraph(50))), { format: "svg" });

  assert.equal(drawn.match(/class="node"/g)?.length, 50);
});
