import { readFile } from "node:fs/promises";
import { zipOf } from "@rad/artifacts/testing";
import type { ProviderPackage } from "./provider-mirror.ts";
import { ownGoTool } from "./tools/go-tool.ts";

export interface TestAttribute {
  /** As Terraform writes types in JSON: `"string"` (the default), `["map", "string"]`, `["object", { a: "bool" }]`. */
  readonly type?: unknown;
  readonly required?: boolean;
  readonly sensitive?: boolean;
  /** A change of it replaces the resource. */
  readonly replace?: boolean;
  /** What the provider makes of it: `arn:aws:s3:::{bucket}`, `{random}`, `{provider.subscription_id}`. */
  readonly computed?: string;
  /** Of a computed one that may be set, too. */
  readonly optional?: boolean;
}

export interface TestBlock {
  readonly attributes?: Readonly<Record<string, TestAttribute>>;
  readonly blocks?: Readonly<
    Record<
      string,
      TestBlock & {
        readonly nesting?: "list" | "set" | "single";
        readonly minItems?: number;
        readonly maxItems?: number;
      }
    >
  >;
}

export interface TestProviderOptions {
  /** `hashicorp/aws` */
  readonly address: string;
  readonly version: string;
  /** Where its resources are; without one they are in the state only. */
  readonly cloud?: { readonly url: string };
  readonly provider?: TestBlock;
  /** By type. The attribute `id` is what the cloud knows a resource by; it is random unless it is described. */
  readonly resources: Readonly<Record<string, TestBlock>>;
  readonly dataSources?: Readonly<Record<string, TestBlock>>;
}

/** The path of `tools/test-provider`, which is built once. */
export async function builtTestProvider(): Promise<string> {
  return await ownGoTool({
    folder: "test-provider",
    what: "test-provider, the Terraform provider of the tests",
    cost: "about half a minute on two idle cores",
    packages: 250,
  });
}

/** The test provider under any address, with a schema of the test: a package for a mirror. */
export async function testProvider(options: TestProviderOptions): Promise<ProviderPackage> {
  const { address, version, cloud, provider, resources, dataSources } = options;
  const description = { cloud: cloud?.url, provider, resources, dataSources };
  const archive = zipOf([
    [executableOf(address, version), await readFile(await builtTestProvider()), { mode: 0o100755 }],
    ["provider.json", JSON.stringify(description)],
  ]);
  return { address, version, archive };
}

/** The name by which Terraform finds the executable in a package. */
export function executableOf(address: string, version: string): string {
  return `terraform-provider-${address.split("/").at(-1)}_v${version}`;
}
