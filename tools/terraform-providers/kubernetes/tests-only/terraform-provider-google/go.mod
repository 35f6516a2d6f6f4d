module github.com/hashicorp/terraform-provider-google
