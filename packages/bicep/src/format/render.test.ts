import assert from "node:assert/strict";
import { it } from "node:test";
import {
  blank,
  broken,
  choice,
  concat,
  flat,
  group,
  groupBeforeTail,
  indent,
  line,
  newline,
  suffix,
  tail,
  text,
} from "./doc.ts";
import type { Doc } from "./doc.ts";
import { lineStyleOf } from "./format-options.ts";
import { render } from "./render.ts";

const list = group([text("["), indent([line(""), text("aaa"), line(", "), text("bbb")]), line(""), text("]")]);

function rendered(doc: Doc, width: number): string {
  return render(doc, lineStyleOf({ width }));
}

it("keeps a group on its line when it fits to the last column", () => {
  assert.equal(rendered(list, 10), "[aaa, bbb]");
});

it("breaks every line of a group that is one column too wide", () => {
  assert.equal(rendered(list, 9), "[\n  aaa\n  bbb\n]");
});

it("measures a group from where it starts", () => {
  const doc = concat([text("x"), blank, list]);

  assert.equal(rendered(doc, 12), "x [aaa, bbb]");
  assert.equal(rendered(doc, 11), "x [\n  aaa\n  bbb\n]");
});

it("does not measure what follows a group", () => {
  assert.equal(rendered(concat([list, text("!!!!!")]), 10), "[aaa, bbb]!!!!!");
});

it("decides groups inside a broken group anew", () => {
  const outer = group([text("("), indent([line(""), list, line(", "), list]), line(""), text(")")]);

  assert.equal(rendered(outer, 14), "(\n  [aaa, bbb]\n  [aaa, bbb]\n)");
});

it("counts a line comment behind code as nothing", () => {
  assert.equal(rendered(group([list, suffix("// a long comment")]), 10), "[aaa, bbb] // a long comment");
});

it("breaks a group that something follows after a line comment", () => {
  assert.equal(rendered(group([text("a"), suffix("// c"), line(" "), text("b")]), 100), "a // c\nb");
  assert.equal(rendered(group([text("a"), suffix("// c"), blank, line(" "), text("b")]), 100), "a // c\nb");
});

it("writes no blanks at the end of a line", () => {
  assert.equal(rendered(concat([text("a"), blank, newline, newline, text("b")]), 100), "a\n\nb");
});

it("never writes two blanks in a row", () => {
  assert.equal(rendered(concat([text("a"), blank, blank, suffix("// c")]), 100), "a // c");
  assert.equal(rendered(concat([text("x"), blank, blank, list]), 12), "x [aaa, bbb]");
});

it("leaves a tail on the line of what precedes it, at that line's indentation", () => {
  const literal = tail(broken([text("{"), indent([line(" "), text("c: 1")]), line(" "), text("}")]));
  const call = groupBeforeTail([text("f("), indent([line(""), text("aaa,"), line(" "), literal]), line(""), text(")")]);

  assert.equal(rendered(call, 8), "f(aaa, {\n  c: 1\n})");
  assert.equal(rendered(call, 7), "f(\n  aaa,\n  {\n    c: 1\n  }\n)");
});

it("chooses texts by the layout around them", () => {
  const doc = group([indent([line(""), choice("| ", ""), text("a"), line(" "), text("| b")])]);

  assert.equal(rendered(doc, 5), "a | b");
  assert.equal(rendered(doc, 4), "\n  | a\n  | b");
});

it("keeps what must be flat on its line", () => {
  assert.equal(rendered(flat([text("<"), list, text(">")]), 5), "<[aaa, bbb]>");
});
