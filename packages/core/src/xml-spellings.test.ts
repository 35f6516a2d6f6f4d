import assert from "node:assert/strict";
import { it } from "node:test";
import { xmlSpellings } from "./xml-spellings.ts";

it("knows a value as each writer of XML and HTML escapes it", () => {
  assert.deepEqual(
    xmlSpellings(`a&<>"'`).toSorted(),
    [
      "a&amp;&lt;&gt;\"'",
      "a&amp;&lt;&gt;&#34;&#39;",
      "a&amp;&lt;&gt;&quot;&#39;",
      "a&amp;&lt;&gt;&quot;&#x27;",
      "a&amp;&lt;&gt;&quot;&apos;",
      "a&amp;&lt;&gt;&quot;'",
      "a&amp;&lt;>\"'",
      "a&amp;&lt;>&quot;'",
    ].toSorted(),
  );
  assert.ok(xmlSpellings("a\tb\nc").includes("a&#x9;b&#xA;c"));
});

it("has nothing to add where nothing is escaped", () => {
  assert.deepEqual(xmlSpellings("a-b_c é/+=:@%"), []);
});
