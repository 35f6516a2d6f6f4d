import assert from "node:assert/strict";
import { test } from "node:test";
import { checksumOf } from "./checksums.ts";
import { newestIn, newestRelease } from "./release-index.ts";
import { indexUrlOf, releaseUrls, versionInUrl } from "./release-layout.ts";
import { isReleaseVersion, newestOf } from "./version.ts";

const linux = { os: "linux", arch: "arm64" };

test("the default places are those of the publishers", () => {
  assert.deepEqual(releaseUrls("terraform", "1.6.4", linux, {}), {
    archive: "https://releases.hashicorp.com/terraform/1.6.4/terraform_1.6.4_linux_arm64.zip",
    archiveName: "terraform_1.6.4_linux_arm64.zip",
    sums: "https://releases.hashicorp.com/terraform/1.6.4/terraform_1.6.4_SHA256SUMS",
    signature: "https://releases.hashicorp.com/terraform/1.6.4/terraform_1.6.4_SHA256SUMS.sig",
  });
  assert.equal(
    releaseUrls("opentofu", "1.10.10", linux, {}).archive,
    "https://github.com/opentofu/opentofu/releases/download/v1.10.10/tofu_1.10.10_linux_arm64.zip",
  );
  assert.equal(indexUrlOf("terraform", {}), "https://releases.hashicorp.com/terraform/index.json");
  assert.equal(indexUrlOf("opentofu", {}), "https://get.opentofu.org/tofu/api.json");
});

test("a configured base is the place of everything, with its path, user and query", () => {
  const mirror = { baseUrl: "https://u:p@mirror.corp/a/b/?k=v" };

  assert.equal(
    releaseUrls("opentofu", "1.10.10", linux, mirror).signature,
    "https://u:p@mirror.corp/a/b/v1.10.10/tofu_1.10.10_SHA256SUMS.gpgsig?k=v",
  );
  assert.equal(indexUrlOf("terraform", mirror), "https://u:p@mirror.corp/a/b/terraform/index.json?k=v");
  assert.equal(indexUrlOf("opentofu", mirror), "https://u:p@mirror.corp/a/b/api.json?k=v");
  assert.equal(indexUrlOf("opentofu", { ...mirror, indexUrl: "https://i/x" }), "https://i/x");
});

test("versions are three numbers with an optional pre-release and build", () => {
  for (const version of ["1.6.4", "0.0.0", "1.6.4-rc1", "1.6.4-alpha20260101", "1.6.4+ent", "1.6.4-rc.1+a.b"]) {
    assert.equal(isReleaseVersion(version), true, version);
  }
  const long = `1.6.4-${"a".repeat(300)}`;
  for (const version of ["", "v1.6.4", "1.6", "1.6.4.5", "1.6.4 ", "1.6.4-", "1.6.4/..", "..\\1.6.4", "01.6.4", long]) {
    assert.equal(isReleaseVersion(version), false, version);
  }
});

test("the newest version is the highest by number", () => {
  assert.equal(newestOf(["1.9.8", "1.10.2", "1.10.11", "1.2.30", "2.0.0-beta1", "2.0.0+ent", "junk"]), "1.10.11");
  assert.equal(newestOf(["2.0.0-beta1"]), undefined);
});

test("an index counts releases with a build for the machine", async () => {
  const terraform = {
    versions: {
      "1.1.0": { builds: [linux] },
      "1.2.0": { builds: [{ os: "linux", arch: "amd64" }] },
      "1.0.0": {},
    },
  };
  const tofu = {
    versions: [
      { id: "1.8.0", files: ["tofu_1.8.0_linux_arm64.zip"] },
      { id: "1.9.0", files: [] },
    ],
  };

  assert.equal(await newestRelease("terraform", JSON.stringify(terraform), linux), "1.1.0");
  assert.equal(await newestRelease("opentofu", JSON.stringify(tofu), linux), "1.8.0");
});

test("an index of any size leaves the thread to others", () => {
  const versions = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`1.${n}.0`, { builds: [linux] }]));
  const work = newestIn("terraform", JSON.stringify({ versions, more: [[[]], {}] }), linux);
  let pauses = 0;
  let step = work.next();
  for (; step.done !== true; step = work.next()) {
    pauses += 1;
  }
  assert.equal(step.value, "1.19999.0");
  assert.ok(pauses > 0);
});

const fileNames: readonly (readonly [url: string, version: string | undefined])[] = [
  ["https://m/x/terraform_1.6.4_linux_amd64.zip", "1.6.4"],
  ["https://m/x/terraform_1.6.4_linux_amd64", "1.6.4"],
  ["https://m/x/terraform_1.6.4-rc1_linux_amd64.zip?sig=terraform_9.9.9_a_b", "1.6.4-rc1"],
  ["https://m/x/terraform%5F1.6.4%5Flinux%5Famd64.zip", "1.6.4"],
  ["https://m/x/tofu_1.6.4_linux_amd64.zip", undefined],
  ["https://m/x/terraform_1.6_linux_amd64.zip", undefined],
  ["https://m/x/terraform.zip", undefined],
  ["https://m/terraform_1.6.4_linux_amd64/latest", undefined],
  ["https://m/%zz", undefined],
  ["no URL", undefined],
];
for (const [url, version] of fileNames) {
  test(`${url} names ${version ?? "no version"}`, () => {
    assert.equal(versionInUrl("terraform", url), version);
  });
}

test("sums are read by file name, in any case and with either mark", () => {
  const sums = `${"A".repeat(64)}  a.zip\r\n${"b".repeat(64)} *b.zip\nshort  c.zip\n`;

  assert.equal(checksumOf(sums, "a.zip"), "a".repeat(64));
  assert.equal(checksumOf(sums, "b.zip"), "b".repeat(64));
  for (const name of ["c.zip", "zip", "A.zip"]) {
    assert.throws(() => checksumOf(sums, name), { code: "SumsInvalid" });
  }
});
