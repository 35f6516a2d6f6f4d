/** The program that a binary is. Both are installed in the same way; one binary is active, whichever it is. */
export type Product = "terraform" | "opentofu";

/** As texts name it. */
export const productNames: Readonly<Record<Product, string>> = { terraform: "Terraform", opentofu: "OpenTofu" };
