// Terraform is installed, and a recipe runs, where nothing but one host can be reached.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { it } from "node:test";
import { testProvider } from "@rad/terraform/testing/providers";
import { realTerraform } from "@rad/terraform/testing/real-binaries";
import { bucketProvider } from "../../recipes/bucket-module.ts";

/** Every address leads to this machine, where the journey's guard notes what was meant for others. */
const closed =
  "ip link set lo up && ip route add local 0.0.0.0/0 dev lo && (ip -6 route add local ::/0 dev lo || true)";

it("with one reachable host, three flags install Terraform, and settings with a mirror let a recipe run", async () => {
  await Promise.all([realTerraform(), testProvider(bucketProvider)]); // building them needs the world
  const probe = await inClosedNetwork("true");
  assert.equal(
    probe.code,
    0,
    `CANNOT RUN: this test needs network namespaces: 'unshare' of util-linux and 'ip' of iproute2, as root or with user namespaces.\n${probe.output}`,
  );

  const { code, output } = await inClosedNetwork(
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    path.join(import.meta.dirname, "journey.ts"),
  );

  assert.equal(code, 0, output);
  assert.match(output, /^complete$/mu);
});

async function inClosedNetwork(...command: readonly string[]): Promise<{ code: number; output: string }> {
  const args = ["--user", "--map-root-user", "--net", "sh", "-c", `${closed} && exec "$@"`, "sh", ...command];
  return await new Promise((resolve) => {
    execFile("unshare", args, { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 127;
      resolve({ code, output: `${stdout}${stderr}${error === null ? "" : error.message}` });
    });
  });
}
