import { readFile } from "node:fs/promises";
import { zipOf } from "@rad/artifacts/testing";
import type { ProviderPackage } from "./provider-mirror.ts";
import { executableOf } from "./test-provider.ts";
import { ownGoTool } from "./tools/go-tool.ts";

/** Providers as their publishers wrote them, in versions that can be built from the Go module proxy. */
const realProviders = {
  // Releases of random and null that can be had speak an older plugin protocol by themselves; linked with the plugin
  // library of Terraform 0.12 they speak version 5, which Terraform and OpenTofu of today take.
  random: {
    version: "2.0.0",
    main: "github.com/terraform-providers/terraform-provider-random",
    cost: "about 1 minute on two idle cores",
    packages: 600,
    linkerFlags: "",
  },
  null: {
    version: "1.0.0",
    main: "github.com/terraform-providers/terraform-provider-null",
    cost: "about 1 minute on two idle cores",
    packages: 600,
    linkerFlags: "",
  },
  time: {
    version: "0.14.2",
    main: "github.com/hashicorp/terraform-provider-time",
    cost: "about 1 minute on two idle cores",
    packages: 400,
    linkerFlags: "-X main.version=0.14.2",
  },
  // The newest release that the proxy has. Later ones add `kubernetes_manifest`.
  kubernetes: {
    version: "1.13.4",
    main: "github.com/hashicorp/terraform-provider-kubernetes",
    cost: "about 2 minutes on two idle cores",
    packages: 900,
    linkerFlags: "",
  },
} as const;

export type RealProviderName = keyof typeof realProviders;
export const realProviderNames = Object.keys(realProviders) as RealProviderName[];

/** A provider under its own address, built once from `tools/terraform-providers`: a package for a mirror. */
export async function realProvider(name: RealProviderName): Promise<ProviderPackage> {
  const { version, main, cost, packages, linkerFlags } = realProviders[name];
  const file = await ownGoTool({
    folder: `terraform-providers/${name}`,
    what: `the Terraform provider ${name} ${version}`,
    cost,
    packages,
    main,
    linkerFlags,
  });
  const address = `hashicorp/${name}`;
  const archive = zipOf([[executableOf(address, version), await readFile(file), { mode: 0o100755 }]]);
  return { address, version, archive };
}
