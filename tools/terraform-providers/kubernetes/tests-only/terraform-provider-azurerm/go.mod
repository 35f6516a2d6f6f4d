module github.com/terraform-providers/terraform-provider-azurerm
