/** The platform engineer's part: a Terraform module. It needs no provider, so nothing is downloaded for it. */
export const moduleText = `variable "context" {
  description = "What the recipe runs for; Radius sets it."
  type        = any
}

variable "size" {
  description = "Size of the database."
  type        = string
  default     = "small"
}

# Stands for the database that a cloud's provider would create.
resource "terraform_data" "database" {
  input = {
    name = var.context.resource.name
    size = var.size
  }
}

output "result" {
  value = {
    values = {
      server   = "\${terraform_data.database.output.name}.databases.example.com"
      port     = 1433
      database = terraform_data.database.output.name
    }
  }
}
`;

/** The developer's part: a type, and no word about Terraform. */
export const ordersText = `extension radius

param environment string

resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'orders'
  properties: {
    environment: environment
  }
}

resource database 'Applications.Datastores/sqlDatabases@2023-10-01-preview' = {
  name: 'orders-db'
  properties: {
    environment: environment
    application: app.id
  }
}

output server string = database.properties.server
`;
