/**
 * A module of three levels for the real provider `kubernetes`: objects with and without a namespace, of the cluster, of a
 * loop, and a data source. Its `result` names no resources.
 */
export const clusterModule = {
  "main.tf": `
terraform {
  required_providers {
    kubernetes = { source = "hashicorp/kubernetes", version = "1.13.4" }
  }
}
variable "context" { type = any }
variable "namespace" { type = string }
locals { name = var.context.resource.name }
data "kubernetes_namespace" "there" {
  metadata { name = var.namespace }
}
resource "kubernetes_config_map" "this" {
  metadata {
    name      = local.name
    namespace = data.kubernetes_namespace.there.metadata[0].name
  }
  data = { team = try(var.context.resource.properties.team, "none") }
}
resource "kubernetes_cluster_role" "this" {
  metadata { name = local.name }
  rule {
    api_groups = [""]
    resources  = ["pods"]
    verbs      = ["get"]
  }
}
module "inner" {
  source    = "./inner"
  name      = local.name
  namespace = var.namespace
}
output "result" {
  value = { values = { arn = kubernetes_config_map.this.id } }
}
`,
  "inner/main.tf": `
variable "name" { type = string }
variable "namespace" { type = string }
resource "kubernetes_deployment" "this" {
  metadata {
    name      = "\${var.name}-deployment"
    namespace = var.namespace
  }
  spec {
    selector { match_labels = { app = var.name } }
    template {
      metadata { labels = { app = var.name } }
      spec {
        container {
          name  = "redis"
          image = "redis:7"
        }
      }
    }
  }
}
resource "kubernetes_secret" "each" {
  for_each = toset(["red", "blue.green"])
  metadata {
    name      = "\${var.name}-\${each.key}"
    namespace = var.namespace
  }
}
module "innermost" {
  source = "./innermost"
  name   = var.name
}
`,
  "inner/innermost/main.tf": `
variable "name" { type = string }
resource "kubernetes_config_map" "this" {
  metadata { name = "\${var.name}-innermost" }
}
`,
} as const;

/** Ids of the objects that the module makes for a resource, in the order of the state. */
export function clusterModuleIds(name: string, namespace: string): string[] {
  const scope = "/planes/kubernetes/local";
  return [
    `${scope}/providers/rbac.authorization.k8s.io/ClusterRole/${name}`,
    `${scope}/namespaces/${namespace}/providers/core/ConfigMap/${name}`,
    `${scope}/namespaces/${namespace}/providers/apps/Deployment/${name}-deployment`,
    `${scope}/namespaces/${namespace}/providers/core/Secret/${name}-blue.green`,
    `${scope}/namespaces/${namespace}/providers/core/Secret/${name}-red`,
    `${scope}/namespaces/default/providers/core/ConfigMap/${name}-innermost`,
  ];
}
