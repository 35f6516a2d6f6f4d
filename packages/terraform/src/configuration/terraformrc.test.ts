import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { parseHcl } from "../modules/parse-hcl.ts";
import { checkTerraformrc, terraformrcOf } from "./terraformrc.ts";
import { hclString } from "./hcl-text.ts";
import { readTerraformrc } from "./read-terraformrc.ts";
import { templateText } from "./template-text.ts";
import type { TerraformrcOptions } from "./installation-methods.ts";

const rendered: readonly (readonly [what: string, options: TerraformrcOptions, lines: readonly string[]])[] = [
  [
    "the seed's sample",
    {
      providerInstallation: {
        networkMirror: {
          url: "https://mirror.corp.example.com/terraform/providers",
          include: ["*"],
          exclude: ["hashicorp/azurerm"],
        },
        direct: { exclude: ["hashicorp/azurerm"] },
      },
    },
    [
      "  network_mirror {",
      '    url = "https://mirror.corp.example.com/terraform/providers/"',
      '    include = ["*/*/*"]',
      '    exclude = ["hashicorp/azurerm"]',
      "  }",
      "  direct {",
      '    exclude = ["hashicorp/azurerm"]',
      "  }",
    ],
  ],
  [
    "a mirror alone, without direct installation",
    { providerInstallation: { networkMirror: { url: "https://mirror.example" } } },
    ["  network_mirror {", '    url = "https://mirror.example/"', "  }"],
  ],
  [
    "an empty direct beside a mirror",
    { providerInstallation: { networkMirror: { url: "https://mirror.example/" }, direct: {} } },
    ["  network_mirror {", '    url = "https://mirror.example/"', "  }", "  direct {", "  }"],
  ],
  ["no settings, without plugin folders of the machine", {}, ["  direct {", "  }"]],
  [
    "empty lists, which select everything",
    { providerInstallation: { direct: { include: [], exclude: [] } } },
    ["  direct {", "  }"],
  ],
  [
    "providers on the disk, looked up nowhere else",
    {
      local: { path: '/var/lib/"a" ${b}', providers: ["registry.terraform.io/hashicorp/aws"] },
      providerInstallation: { networkMirror: { url: "https://mirror.example/", exclude: ["corp/x"] } },
    },
    [
      "  filesystem_mirror {",
      String.raw`    path = "/var/lib/\"a\" \u0024{b}"`,
      '    include = ["registry.terraform.io/hashicorp/aws"]',
      "  }",
      "  network_mirror {",
      '    url = "https://mirror.example/"',
      '    exclude = ["corp/x", "registry.terraform.io/hashicorp/aws"]',
      "  }",
    ],
  ],
];
for (const [what, options, lines] of rendered) {
  it(`the CLI configuration has ${what}`, () => {
    const text = terraformrcOf(options);

    assert.equal(text, ["provider_installation {", ...lines, "}", ""].join("\n"));
  });
}

for (const url of ["https://h/?x", "http://h/", "https://user:canary@h/", "https://${h}/", "h/providers"]) {
  it(`the mirror ${url} is refused`, () => {
    assert.throws(
      () => terraformrcOf({ providerInstallation: { networkMirror: { url } } }),
      (error: Error & { code: string }) =>
        error.code === "RecipeConfigurationFailure" && !error.message.includes("canary"),
    );
  });
}

it("a pattern that Terraform would leave out is refused, without its text", () => {
  const options = { providerInstallation: { direct: { include: ['canary"] }'] } } };
  assert.throws(
    () => terraformrcOf(options),
    (error: Error) => !error.message.includes("canary"),
  );
});

it("a configuration that does not parse, or parses into something else, is refused", () => {
  const direct = [{ kind: "direct" } as const];
  const texts = [
    'provider_installation {\n  direct {\n    include = ["\n  }\n}\n',
    "provider_installation {\n  direct {\n  }\n",
    "provider_installation {\n}\n",
    'provider_installation {\n  direct {\n    include = ["a/b"]\n  }\n}\n',
    'provider_installation {\n  direct {\n  }\n}\nplugin_cache_dir = "/tmp"\n',
    'provider_installation {\n  direct {\n  }\n}\nplugin_cache_dir = "/tmp"\n}\n',
    "provider_installation {\n  direct {\n  }\n  direct {\n  }\n}\n",
    "provider_installation {\n  direct {\n    include = []\n    include = []\n  }\n}\n",
    'provider_installation {\n  direct {\n    include = ["${a}"]\n  }\n}\n',
    "",
  ];
  for (const text of texts) {
    assert.throws(() => checkTerraformrc(text, direct), { code: "RecipeConfigurationFailure" }, text);
  }
});

it("any path is read back as it is, by a parser for all of HCL, too", async () => {
  const pieces = ['"', "\\", "$", "{", "}", "%", "\n", "<<EOT\n", "${", "$${", "%{", "\u2028", "ü", "🦀"];
  const path = fc.string({ unit: fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary" })), minLength: 100 });
  await fc.assert(
    fc.asyncProperty(path, async (any) => {
      const text = any.normalize("NFC"); // as that parser gives it
      const configuration = terraformrcOf({ local: { path: text, providers: ["a/b"] } });

      const [mirror] = readTerraformrc(configuration) ?? [];
      const [parsed] = await parseHcl([{ name: "terraformrc.tf", text: configuration }]);

      assert.deepEqual(mirror, { kind: "filesystem_mirror", path: text, include: ["a/b"] });
      assert.ok(parsed !== undefined && "json" in parsed);
      assert.deepEqual(JSON.parse(parsed.json), {
        provider_installation: [
          {
            filesystem_mirror: [{ path: templateText(text), include: ["a/b"] }],
            direct: [{ exclude: ["a/b"] }],
          },
        ],
      });
    }),
    { numRuns: 10 },
  );
});

it("quoted text has no character that ends it or begins a template", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.doesNotMatch(hclString(text).slice(1, -1), /(?<!\\)(?:\\\\)*"|[$%\n\r]/u);
    }),
  );
});
