variable "context" {
  description = "What the recipe runs for; Radius sets it."
  type        = any
}

variable "size" {
  description = "Size of the machine: small or large."
  type        = string
  default     = "small"
}

# Stands for the database that a provider would create, so that the example needs no cloud and no provider.
resource "terraform_data" "database" {
  input = {
    name = var.context.resource.name
    size = var.size
  }
}

output "result" {
  value = {
    values = {
      host = "${terraform_data.database.output.name}.databases.example.com"
      port = "5432"
    }
  }
}
