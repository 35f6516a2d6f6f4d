import type { TerraformProduct } from "@rad/client";
import { printableLine } from "../output/printable.ts";

const productNames: Readonly<Record<TerraformProduct, string>> = { terraform: "Terraform", opentofu: "OpenTofu" };

interface Named {
  readonly product: TerraformProduct;
  readonly version?: string | undefined;
}

/** `Terraform 1.6.4`; the product alone while nobody knows the version. */
export function nameOf({ product, version }: Named): string {
  return version === undefined ? productNames[product] : `${productNames[product]} ${printableLine(version)}`;
}

/** A time in UTC, to the minute: `2025-10-10T10:30Z`. */
export function minuteOf(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? printableLine(time) : `${date.toISOString().slice(0, 16)}Z`;
}

export function readyLine(ready: Named & { readonly installedAt?: string | undefined }): string {
  const installed = ready.installedAt === undefined ? "" : ` (installed ${minuteOf(ready.installedAt)})`;
  return `${nameOf(ready)} ready${installed}`;
}

/** What failed on one line, without the period at its end. */
export function reasonOf(error: string | undefined): string {
  return error === undefined ? "no reason was given" : printableLine(error).trim().replace(/\.$/, "");
}
