import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { buildGoTool, cachedTool } from "@rad/kubernetes/testing/tools";

const sources = path.join(import.meta.dirname, "..", "..", "..", "..", "tools", "terraform-config-inspect");

/** Path of terraform-config-inspect, of the version that its `go.mod` pins, built through the Go module proxy. */
export async function realConfigInspect(): Promise<string> {
  const module = await readFile(path.join(sources, "go.mod"), "utf8");
  const name = "github.com/hashicorp/terraform-config-inspect";
  const tool = {
    what: "terraform-config-inspect, which tests compare with",
    cost: "about half a minute on two idle cores",
    packages: 160,
    folder: sources,
    args: ["-trimpath", "-ldflags", "-s -w", name],
  };
  const key = hash("sha256", JSON.stringify([process.platform, process.arch, tool.args, module])).slice(0, 16);
  const folder = await cachedTool({
    name: `terraform-config-inspect-${key}`,
    make: async (into, report) => await buildGoTool(path.join(into, "terraform-config-inspect"), tool, report),
  });
  return path.join(folder, "terraform-config-inspect");
}
