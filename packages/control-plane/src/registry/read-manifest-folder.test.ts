import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ManifestError } from "@rad/resource-types";
import { readManifestFolder } from "./read-manifest-folder.ts";

const icon = '<svg xmlns="http://www.w3.org/2000/svg"/>';

function manifest(namespace: string, type: string, more = ""): string {
  return `namespace: ${namespace}\n${more}\ntypes: { ${type}: { apiVersions: { "2025-01-01": { schema: {} } } } }\n`;
}

async function folderWith(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<AsyncDisposable & { dir: string }> {
  const dir = await mkdtemp(join(tmpdir(), "manifests-"));
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(dir, name), content);
  }
  return { dir, [Symbol.asyncDispose]: () => rm(dir, { recursive: true }) };
}

async function problemsOf(dir: string): Promise<string[]> {
  try {
    await readManifestFolder(dir);
    return [];
  } catch (error) {
    assert.ok(error instanceof ManifestError, String(error));
    return error.message.replaceAll(`${dir}/`, "").split("\n");
  }
}

test("files of one namespace become one manifest, in the order of their names", async () => {
  await using folder = await folderWith({
    "c.json": JSON.stringify({
      namespace: "Other.Things",
      types: { boxes: { apiVersions: { "2025-01-01": { schema: {} } } } },
    }),
    "b.yaml": manifest("Contoso.Data", "topics", "location: { global: 'https://example.com' }"),
    "a.yaml": manifest("Contoso.Data", "queues"),
  });

  const manifests = await readManifestFolder(folder.dir);

  assert.deepEqual(
    manifests.map(({ namespace, location, types }) => [namespace, location.address, types.map((type) => type.name)]),
    [
      ["Contoso.Data", "https://example.com", ["queues", "topics"]],
      ["Other.Things", undefined, ["boxes"]],
    ],
  );
});

test("the icon of a type lies beside its manifest", async () => {
  await using folder = await folderWith({
    "a.yaml": manifest("Contoso.Data", "queues"),
    "b.yaml": manifest("Contoso.Data", "topics"),
    "queues.svg": icon,
    "unrelated.svg": icon,
  });

  const [contoso] = await readManifestFolder(folder.dir);

  assert.deepEqual(
    contoso?.types.map((type) => type.icon),
    [icon, undefined],
  );
});

test("sub-folders are left alone and links are followed, as Kubernetes mounts them", async () => {
  await using folder = await folderWith({});
  await mkdir(join(folder.dir, "..data"));
  await writeFile(join(folder.dir, "..data", "a.yaml"), manifest("Contoso.Data", "queues"));
  await symlink("..data/a.yaml", join(folder.dir, "a.yaml"));

  assert.equal((await readManifestFolder(folder.dir)).length, 1);
});

test("a type that is defined twice is refused with both files", async () => {
  await using folder = await folderWith({
    "a.yaml": manifest("Contoso.Data", "queues"),
    "b.yaml": manifest("Contoso.Data", "queues"),
  });

  const [problem, ...more] = await problemsOf(folder.dir);

  assert.deepEqual(more, []);
  assert.match(problem ?? "", /^b\.yaml: Contoso\.Data\/queues .* a\.yaml\.$/);
});

test("two locations for one namespace are refused", async () => {
  await using folder = await folderWith({
    "a.yaml": manifest("Contoso.Data", "queues", "location: { global: 'https://a.example.com' }"),
    "b.yaml": manifest("Contoso.Data", "topics", "location: { global: 'https://b.example.com' }"),
  });

  assert.equal((await problemsOf(folder.dir)).length, 1);
});

test("the problems of all files come together", async () => {
  await using folder = await folderWith({
    "a.yaml": "namespace: x",
    "b.yaml": new Uint8Array([0xff, 0xfe]),
    "c.svg": "<svg><script/></svg>",
    "d.yaml": manifest("Contoso.Data", "queues"),
  });

  const files = (await problemsOf(folder.dir)).map((line) => line.split(":")[0]);

  assert.deepEqual(files, ["a.yaml", "a.yaml", "b.yaml", "c.svg"]);
});

test("a folder that is not there is a ManifestError", async () => {
  await using folder = await folderWith({});

  await assert.rejects(readManifestFolder(join(folder.dir, "nowhere")), { code: "InvalidManifest" });
});
