/** Modules that show one construct each: what is read from them is what terraform-config-inspect reads. */
export interface ModuleCase {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** Where we read something else on purpose: why. */
  readonly differs?: string;
}

const native = (name: string, text: string, differs?: string): ModuleCase => ({
  name,
  files: { "main.tf": text },
  ...(differs !== undefined && { differs }),
});
const json = (name: string, document: unknown): ModuleCase => ({
  name,
  files: { "main.tf.json": typeof document === "string" ? document : JSON.stringify(document, undefined, 2) },
});

const constant = "a default that has to be evaluated is not shown; the variable is optional all the same";
const configured = "nobody configures the provider that Terraform has built in";
const named = "an entry without a source and a version is an entry, and gets its configuration";
const merged = "an override file changes attributes, as in Terraform, and does not replace the block";

export const moduleCases: readonly ModuleCase[] = [
  native("an empty file", ""),
  native("comments alone", '# variable "a" {}\n// variable "b" {}\n/* variable "c" {} */\n'),
  native("a byte order mark and CRLF", '\ufeffvariable "a" {\r\n  type = string\r\n}\r\n'),
  native("a required variable", 'variable "a" {}'),
  native("a label without quotes", "variable a {}"),
  native("several variables, in no order", 'variable "b" {}\n\nvariable "a" {}\n\n\nvariable "c-d_e" {}\n'),
  native("a simple type", 'variable "a" {\n  type = string\n}'),
  native("a quoted type", 'variable "a" {\n  type = "list"\n}'),
  native("any", 'variable "a" {\n  type = any\n}'),
  native("a nested type", 'variable "a" {\n  type = map(list(set(number)))\n}'),
  native(
    "a type with lines, comments and optional members",
    'variable "a" {\n  type = object({\n    # the name\n    name = string\n    size = optional(number, 3)\n    tags = optional(map(string), { "a" = "${1}" })\n  })\n}',
  ),
  native("a tuple", 'variable "a" {\n  type = tuple([string, bool])\n}'),
  native("a description", 'variable "a" {\n  description = "What \\"it\\" is: é, \\u00e9\\t$${x} %%{y}"\n}'),
  native("a description in a heredoc", 'variable "a" {\n  description = <<-EOT\n    One.\n      Two $${x}.\n  EOT\n}'),
  native("an empty description", 'variable "a" {\n  description = ""\n}'),
  native("an empty default", 'variable "a" {\n  default = ""\n}'),
  native("a default of null", 'variable "a" {\n  default = null\n}'),
  native(
    "defaults of simple types",
    'variable "a" { default = "x" }\nvariable "b" { default = 1.5 }\nvariable "c" { default = true }',
  ),
  native("a negative number", 'variable "a" { default = -12 }'),
  native("large numbers", 'variable "a" { default = 1e30 }\nvariable "b" { default = 12345678901 }'),
  native("an empty list and an empty object", 'variable "a" { default = [] }\nvariable "b" { default = {} }'),
  native(
    "a nested default",
    'variable "a" {\n  default = {\n    "b c" = [1, null, "x", { d = false }]\n    e     = <<EOT\ntext\nEOT\n  }\n}',
  ),
  native("escapes in a default", 'variable "a" { default = "$${b} %%{c} \\\\ \\" \\n" }'),
  native("an interpolation of a constant", 'variable "a" { default = "x${1}" }'),
  native("a default that is computed", 'variable "a" { default = 1 + 2 }', constant),
  native("a default in parentheses", 'variable "a" { default = (1) }', constant),
  native("a conditional default", 'variable "a" { default = [true ? 1 : 2] }', constant),
  native("a sensitive variable", 'variable "a" {\n  sensitive = true\n  default   = "x"\n}'),
  native("a sensitive variable, as text", 'variable "a" {\n  sensitive = "true"\n}'),
  native("not sensitive", 'variable "a" {\n  sensitive = false\n}'),
  native(
    "other arguments and blocks of a variable",
    'variable "a" {\n  nullable  = false\n  ephemeral = true\n  validation {\n    condition     = length(var.a) > 0\n    error_message = "No ${var.a}."\n  }\n}',
  ),
  native(
    "outputs",
    'output "a" {\n  value = var.x.y[0]\n}\n\noutput "result" {\n  value     = { values = {} }\n  sensitive = true\n  depends_on = [a.b]\n}',
  ),
  native(
    "an output with a precondition",
    'output "a" {\n  value = 1\n  precondition {\n    condition     = true\n    error_message = "x"\n  }\n}',
  ),
  native(
    "required providers",
    'terraform {\n  required_version = ">= 1.5"\n  required_providers {\n    aws = {\n      source  = "hashicorp/aws"\n      version = ">= 3.0, < 6.0"\n    }\n    random = {\n      source = "hashicorp/random"\n    }\n  }\n}',
  ),
  native("an empty requirement", "terraform {\n  required_providers {\n    kubernetes = {}\n  }\n}", named),
  native("the built-in provider", 'resource "terraform_data" "a" {}', configured),
  native(
    "a resource that names its provider",
    'resource "aws_vpc" "a" {\n  provider = east.one\n}\ndata "aws_vpc" "b" {\n  provider = "west"\n}',
  ),
  native("a version alone", 'terraform {\n  required_providers {\n    aws = "~> 5.0"\n  }\n}'),
  native(
    "configuration aliases",
    'terraform {\n  required_providers {\n    aws = {\n      source                = "hashicorp/aws"\n      configuration_aliases = [aws.east, aws.west]\n    }\n  }\n}',
  ),
  native(
    "a source of another host",
    'terraform {\n  required_providers {\n    x = { source = "registry.example.com/team/x" }\n  }\n}',
  ),
  native(
    "provider blocks",
    'provider "aws" {\n  region = "x"\n}\n\nprovider "aws" {\n  alias = "b"\n}\n\nprovider "google" {}\n',
  ),
  native("the version of a provider block", 'provider "aws" {\n  version = "~> 2.0"\n}'),
  native(
    "a provider that is required and configured",
    'terraform {\n  required_providers {\n    aws = { source = "hashicorp/aws", version = "5" }\n  }\n}\nprovider "aws" {}\n',
  ),
  native("providers that resources imply", 'resource "aws_vpc" "a" {}\n\ndata "azurerm_client_config" "b" {}\n'),
  native(
    "everything else that a file may have",
    'locals {\n  a = 1\n}\n\nmodule "m" {\n  source = "./m"\n  count  = 2\n}\n\nresource "a_b" "c" {\n  dynamic "d" {\n    for_each = var.x\n    content {\n      e = d.value\n    }\n  }\n  lifecycle {\n    ignore_changes = [e]\n  }\n  provisioner "local-exec" {\n    command = "echo ${self.id}"\n  }\n}\n\nmoved {\n  from = a_b.x\n  to   = a_b.c\n}\n\nimport {\n  to = a_b.c\n  id = "i"\n}\n\ncheck "h" {\n  assert {\n    condition     = true\n    error_message = "x"\n  }\n}\n',
  ),
  native(
    "a backend",
    'terraform {\n  backend "s3" {\n    bucket = "b"\n  }\n}\n\nterraform {\n  required_providers {\n    aws = { version = "5" }\n  }\n}\n',
  ),
  native(
    "functions of providers, splats, expansions, conditions and loops",
    'locals {\n  a = provider::aws::arn_parse("x").service\n  b = aws_vpc.x[*].id\n  c = max([1, 2]...)\n  d = { for k, v in var.x : k => v... if v != null }\n  e = var.x == null ? "a" : "b${var.x}"\n  f = [for s in ["a"] : upper(s)]\n  g = aws_vpc.y.*.id\n  h = -var.n % 2 >= 0 && !true\n}\n\nvariable "x" {}\n',
  ),
  native(
    "directives in templates and heredocs",
    'locals {\n  a = "%{ if var.x ~}yes%{ else }no%{ endif }"\n  b = <<-EOT\n    %{~ for s in var.x ~}\n    ${s}\n    %{~ endfor ~}\n  EOT\n  c = "$${a} %%{b} $a %b"\n}\n\nvariable "x" {}\n',
  ),
  native(
    "blocks of newer versions",
    'ephemeral "aws_secretsmanager_secret_version" "s" {\n  secret_id = "x"\n}\n\nremoved {\n  from = aws_vpc.old\n  lifecycle {\n    destroy = false\n  }\n}\n\nimport {\n  for_each = { a = "b" }\n  to       = aws_vpc.x[each.key]\n  id       = each.value\n}\n\nresource "aws_vpc" "x" {\n  for_each = toset(["a"])\n  lifecycle {\n    precondition {\n      condition     = true\n      error_message = "x"\n    }\n  }\n}\n',
  ),
  native("names in other scripts", 'variable "größe" {\n  description = "大きさ"\n  default     = "🔑"\n}\n'),
  {
    name: "several files",
    files: {
      "variables.tf": 'variable "a" {}',
      "outputs.tf": 'output "o" { value = 1 }',
      "main.tf": 'variable "b" {}',
    },
  },
  {
    name: "files that are no configuration",
    files: {
      "main.tf": 'variable "a" {}',
      "terraform.tfvars": 'b = "x"',
      "README.md": "# b",
      ".hidden.tf": 'variable "c" {}',
      "main.tf~": 'variable "d" {}',
      "#main.tf#": 'variable "e" {}',
      "sub/main.tf": 'variable "f" {}',
      "x.tftest.hcl": "run {}",
    },
  },
  {
    name: "requirements in two files",
    files: {
      "a.tf": 'terraform {\n  required_providers {\n    aws = { source = "hashicorp/aws", version = ">= 3" }\n  }\n}',
      "b.tf":
        'terraform {\n  required_providers {\n    aws = { version = "< 6" }\n    null = { source = "hashicorp/null" }\n  }\n}',
    },
  },
  {
    name: "aliases after a provider block",
    files: {
      "main.tf": 'provider "aws" {}',
      "versions.tf": "terraform {\n  required_providers {\n    aws = { configuration_aliases = [aws.east] }\n  }\n}",
    },
    differs: "aliases count whichever file comes first",
  },
  {
    name: "an override file with all attributes",
    files: {
      "main.tf": 'variable "a" {\n  type    = string\n  default = "x"\n}',
      "override.tf": '\nvariable "a" {\n  type    = number\n  default = 1\n}',
    },
    differs: "the position stays that of the declaration",
  },
  {
    name: "an override file with one attribute",
    files: {
      "main.tf":
        'variable "a" {\n  type        = string\n  description = "d"\n  default     = "x"\n  sensitive   = true\n}\noutput "o" {\n  value     = 1\n  sensitive = true\n}',
      "main_override.tf": 'variable "a" {\n  description = "other"\n}\noutput "o" {\n  value = 2\n}',
    },
    differs: merged,
  },
  {
    name: "an override file of required providers",
    files: {
      "main.tf": 'terraform {\n  required_providers {\n    aws = { source = "hashicorp/aws", version = "4" }\n  }\n}',
      "a_override.tf":
        'terraform {\n  required_providers {\n    aws = { source = "hashicorp/aws", version = "5" }\n  }\n}',
    },
    differs: merged,
  },
  json("a JSON file", {
    variable: {
      a: { type: "map(string)", description: "d ${x}", default: { b: ["${c}", null, 1] }, sensitive: true },
      b: {},
    },
    output: { o: { value: "${var.a}", sensitive: true } },
    terraform: {
      required_providers: {
        aws: { source: "hashicorp/aws", version: "5", configuration_aliases: ["aws.east"] },
        old: "~> 1.0",
      },
    },
    provider: { aws: [{ region: "x" }, { alias: "b" }], google: {} },
  }),
  json("a JSON file with lists of blocks", {
    "//": "a comment",
    variable: [{ a: { "//": "c" } }, { b: [{ default: 1 }] }],
    terraform: [{ required_providers: [{ aws: { version: "5" } }] }, { required_version: ">= 1" }],
  }),
  json("an empty JSON file", {}),
  {
    name: "both syntaxes",
    files: { "a.tf": 'variable "a" {}', "b.tf.json": '{ "variable": { "b": { "default": "$${x}" } } }' },
  },
];
