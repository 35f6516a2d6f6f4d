import assert from "node:assert/strict";
import { it } from "node:test";
import { urlsIn } from "./terraform-looks.ts";

it("servers that Terraform would ask are found with and without a scheme", () => {
  const found = urlsIn({
    address: "169.254.169.254:80",
    path: "a.b:80/c",
    conn_str: "postgres://db.example/x",
    nested: { metadata_host: "2852039166", list: ["https://s3.example/"] },
    CONSUL_HTTP_ADDR: "[::ffff:169.254.169.254]",
    KUBE_TOKEN: "token.example",
    host: "",
  });
  assert.deepEqual(
    found.map(({ hostname }) => hostname),
    ["169.254.169.254", "db.example", "169.254.169.254", "s3.example", "[::ffff:a9fe:a9fe]"],
  );
});
