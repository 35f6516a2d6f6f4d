import assert from "node:assert/strict";
import { test } from "node:test";
import { extensionOf, folderOf, nameOf, relativePath, resolvePath } from "./paths.ts";

test("paths are resolved against a folder, dots included", () => {
  assert.equal(resolvePath("/a/b", "./c.bicep"), "/a/b/c.bicep");
  assert.equal(resolvePath("/a/b", "../c/./d.bicep"), "/a/c/d.bicep");
  assert.equal(resolvePath("/a", "../../../x"), "/x");
  assert.equal(resolvePath("/a", "/b//c"), "/b/c");
  assert.equal(resolvePath("C:/a/b", "../c.bicep"), "C:/a/c.bicep");
});

test("the folder of a root is the root", () => {
  assert.equal(folderOf("/a/b.bicep"), "/a");
  assert.equal(folderOf("/b.bicep"), "/");
  assert.equal(folderOf("/"), "/");
  assert.equal(folderOf("C:/b.bicep"), "C:/");
  assert.equal(folderOf("C:/"), "C:/");
});

test("names and endings are the last part, endings in small letters", () => {
  assert.equal(nameOf("/a/B.Bicep"), "B.Bicep");
  assert.equal(extensionOf("/a.b/c.JSON"), ".json");
  assert.equal(extensionOf("/a.b/c"), "");
});

test("a relative path leads from a folder to a file", () => {
  assert.equal(relativePath("/a/b", "/a/b/c/d.txt"), "c/d.txt");
  assert.equal(relativePath("/a/b", "/a/x.txt"), "../x.txt");
  assert.equal(relativePath("C:/a", "D:/b"), "D:/b");
});
