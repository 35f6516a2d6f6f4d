import type { TestProviderOptions } from "@rad/terraform/testing/providers";

/** A stand-in for hashicorp/aws with one type of the real one's shape. */
export const bucketProvider: TestProviderOptions = {
  address: "hashicorp/aws",
  version: "5.90.0",
  provider: {
    attributes: { region: {}, access_key: {}, secret_key: { sensitive: true }, token: { sensitive: true } },
    blocks: {
      assume_role: { attributes: { role_arn: {}, session_name: {} } },
      assume_role_with_web_identity: {
        attributes: { role_arn: {}, session_name: {}, web_identity_token: {}, web_identity_token_file: {} },
      },
    },
  },
  resources: {
    aws_s3_bucket: {
      attributes: {
        bucket: { required: true, replace: true },
        id: { computed: "{bucket}" },
        arn: { computed: "arn:aws:s3:::{bucket}" },
        tags: { type: ["map", "string"] },
        secret: { sensitive: true },
      },
    },
  },
};

/**
 * Buckets that are named after a property of the resource: `copies` of them, of which each may fail on its own. A tag is
 * changed in place, a name replaces the bucket.
 */
export const bucketModule = `
terraform {
  required_providers {
    aws = { source = "hashicorp/aws", version = "~> 5.0" }
  }
}
variable "context" { type = any }
variable "secret" {
  type      = string
  default   = null
  sensitive = true
}
locals {
  properties = var.context.resource.properties
  name       = try(local.properties.bucketName, var.context.resource.name)
}
resource "aws_s3_bucket" "this" {
  count  = try(local.properties.copies, 1)
  bucket = count.index == 0 ? local.name : "\${local.name}-\${count.index}"
  tags   = { team = try(local.properties.team, "none") }
  secret = var.secret
}
output "result" {
  value = {
    values = { arn = aws_s3_bucket.this[0].arn }
  }
}
`;
