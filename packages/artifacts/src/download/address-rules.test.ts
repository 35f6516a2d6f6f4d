import assert from "node:assert/strict";
import { test } from "node:test";
import { isAddressAllowed } from "./address-rules.ts";
import type { AddressRule } from "./address-rules.ts";

const rules: readonly AddressRule[] = ["public", "private", "loopback"];

/** Which rules let an address pass: none, the last one, the last two, or all. */
const table: readonly (readonly [passes: 0 | 1 | 2 | 3, addresses: readonly string[]])[] = [
  [3, ["8.8.8.8", "1.1.1.1", "172.15.0.1", "172.32.0.1", "11.0.0.1", "2606:4700::1111", "::ffff:8.8.8.8"]],
  [
    3,
    [
      "64:ff9b::808:808",
      "64:ff9b:1::808:808",
      "2001:1::1",
      "2002:808:808::1",
      "168.63.129.17",
      "223.255.255.255",
      "169.253.255.255",
    ],
  ],
  [2, ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "fd00::1", "fc00::1", "fec0::1"]],
  [2, ["::ffff:10.0.0.1", "::ffff:a00:1", "64:ff9b::a00:1", "2002:a00:1::", "::10.1.2.3"]],
  [1, ["127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "::ffff:7f00:1"]],
  [0, ["0.0.0.0", "0.1.2.3", "::", "::ffff:0.0.0.0"]],
  [0, ["169.254.169.254", "169.254.0.1", "::ffff:169.254.169.254", "::ffff:a9fe:a9fe", "64:ff9b::a9fe:a9fe"]],
  [0, ["64:ff9b:1::a9fe:a9fe", "64:ff9b:1:fffe::169.254.169.254", "2001:0:4136:e378:8000:63bf:5601:5601"]],
  [0, ["2002:a9fe:a9fe::1", "::169.254.169.254", "::ffff:0:a9fe:a9fe"]],
  [0, ["fe80::1", "fe80::1%eth0", "febf::1", "168.63.129.16", "100.100.100.200", "192.0.0.192", "fd00:ec2::254"]],
  [0, ["224.0.0.1", "239.1.1.1", "255.255.255.255", "240.0.0.1", "ff02::1", "fd20:ce::254"]],
  [0, ["", "localhost", "1.2.3", "1.2.3.4.5", "127.1", "0x7f000001", "::g", "1::2::3", "256.1.1.1"]],
];

for (const [passes, addresses] of table) {
  for (const address of addresses) {
    test(`${JSON.stringify(address)} passes ${passes} of the rules`, () => {
      const allowed = rules.filter((rule) => isAddressAllowed(address, rule));

      assert.deepEqual(allowed, passes === 0 ? [] : rules.slice(3 - passes));
    });
  }
}
