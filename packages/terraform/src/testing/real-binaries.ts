import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { buildGoTool, cachedTool } from "@rad/kubernetes/testing/tools";
import { zipOf } from "@rad/artifacts/testing";
import type { Product } from "../product.ts";
import { entryOf } from "../release/release-layout.ts";

/** A program as its publisher wrote it, and a release archive with it, both in the tools cache or on the `PATH`. */
export interface RealBinary {
  readonly product: Product;
  readonly version: string;
  /** Path of the executable. */
  readonly file: string;
  /** Path of a zip with the executable and a license, as releases have it. */
  readonly archive: string;
}

const run = promisify(execFile);
const tools = path.join(import.meta.dirname, "..", "..", "..", "..", "tools");

/** For machines without one, as its module can be built without any replacement. */
const terraformWithoutPath = "1.5.7";
const olderVersion = "1.4.7";

/** The Terraform on the `PATH`; where there is none, one that is built. */
export async function realTerraform(): Promise<RealBinary> {
  const file = await findOnPath("terraform");
  return file === undefined ? await builtTerraform(terraformWithoutPath) : await archived("terraform", file);
}

/** A second version of Terraform, older than the one on the `PATH`. */
export async function olderTerraform(): Promise<RealBinary> {
  return await builtTerraform(olderVersion);
}

/** OpenTofu of the version that `tools/opentofu` pins, built through the Go module proxy. */
export async function realOpenTofu(): Promise<RealBinary> {
  const sources = path.join(tools, "opentofu");
  const module = await readFile(path.join(sources, "go.mod"), "utf8");
  const version = /github\.com\/opentofu\/opentofu v(\S+)/u.exec(module)?.[1] ?? "";
  const tool = {
    what: `OpenTofu ${version}, which the tests install`,
    cost: "about 3 minutes on two idle cores",
    packages: 1_300,
    folder: sources,
    args: [...linked("github.com/opentofu/opentofu"), "github.com/opentofu/opentofu/cmd/tofu"],
  };
  const key = hash("sha256", JSON.stringify([process.platform, process.arch, tool.args, module])).slice(0, 16);
  const folder = await cachedTool({
    name: `opentofu-${version}-${key}`,
    make: async (into, report) => await buildGoTool(path.join(into, "tofu"), tool, report),
  });
  return await archived("opentofu", path.join(folder, "tofu"));
}

/** A version of Terraform that `tools/terraform` pins, built through the Go module proxy. */
export async function builtTerraform(version: string): Promise<RealBinary> {
  const module = "github.com/hashicorp/terraform";
  const tool = {
    what: `Terraform ${version}, which the tests install`,
    cost: "about 2 minutes on two idle cores",
    packages: 1_200,
    folder: path.join(tools, "terraform", version),
    args: [...linked(module), module],
  };
  const folder = await cachedTool({
    name: `terraform-${version}-${process.platform}-${process.arch}`,
    make: async (into, report) => await buildGoTool(path.join(into, "terraform"), tool, report),
  });
  return await archived("terraform", path.join(folder, "terraform"));
}

/** Otherwise they call themselves `-dev`. */
function linked(module: string): string[] {
  return ["-trimpath", "-ldflags", `-s -w -X ${module}/version.dev=no`];
}

/** Packing takes seconds, so archives are kept. */
async function archived(product: Product, file: string): Promise<RealBinary> {
  const { stdout } = await run(file, ["version", "-json"], { env: { ...process.env, CHECKPOINT_DISABLE: "1" } });
  const { terraform_version: version } = JSON.parse(stdout) as { terraform_version: string };
  const content = await readFile(file);
  const folder = await cachedTool({
    name: `${product}-${version}-archive-${hash("sha256", content).slice(0, 16)}`,
    make: async (into) => {
      const archive = zipOf([
        ["LICENSE.txt", "The license of the release."],
        [entryOf(product), content, { mode: 0o100755 }],
      ]);
      await writeFile(path.join(into, "archive.zip"), archive);
      await chmod(path.join(into, "archive.zip"), 0o644);
    },
  });
  return { product, version, file, archive: path.join(folder, "archive.zip") };
}

async function findOnPath(name: string): Promise<string | undefined> {
  for (const folder of (process.env["PATH"] ?? "").split(path.delimiter)) {
    const file = path.join(folder, name);
    const found = folder === "" ? undefined : await stat(file).catch(() => undefined);
    if (found?.isFile() === true) {
      return file;
    }
  }
  return undefined;
}
