module github.com/terraform-providers/terraform-provider-aws
