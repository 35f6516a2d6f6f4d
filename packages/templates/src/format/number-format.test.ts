import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { floatText, formatNumber } from "./number-format.ts";

const formats: readonly (readonly [value: bigint | number, spec: string, text: string | undefined])[] = [
  [7n, "D3", "007"],
  [-7n, "D3", "-007"],
  [1234n, "d2", "1234"],
  [1.5, "D", undefined],
  [255n, "X", "FF"],
  [255n, "x4", "00ff"],
  [-1n, "X", "FFFFFFFFFFFFFFFF"],
  [1.5, "X", undefined],
  [1234567n, "N", "1,234,567.00"],
  [-1234n, "N0", "-1,234"],
  [999n, "N1", "999.0"],
  [1234.565, "N2", "1,234.57"],
  [12n, "F", "12.00"],
  [2.5, "F0", "3"],
  [0.125, "F2", "0.13"],
  [2.675, "F2", "2.67"],
  [0.001, "F2", "0.00"],
  [9.996, "F2", "10.00"],
  [12345n, "E", "1.234500E+004"],
  [12345n, "e2", "1.23e+004"],
  [0n, "E1", "0.0E+000"],
  [0.00012, "E1", "1.2E-004"],
  [1n, "P", "100.00 %"],
  [12n, "P0", "1,200 %"],
  [0.256, "P1", "25.6 %"],
  [-1n, "P0", "-100 %"],
  [0n, "P0", "0 %"],
  [1234n, "C", "\u00a41,234.00"],
  [-5n, "C0", "(\u00a45)"],
  [1234n, "G", "1234"],
  [1234n, "G2", "1.2E+03"],
  [1200n, "g2", "1.2e+03"],
  [0.5, "G", "0.5"],
  [1234n, "R", "1234"],
  [5n, "Q", undefined],
  [5n, "N1000", undefined],
  [7n, "000", "007"],
  [1234567n, "#,##0", "1,234,567"],
  [0n, "#,##0", "0"],
  [0n, "#", ""],
  [1234n, "#,#.00", "1,234.00"],
  [0.5, "0.##", "0.5"],
  [0.126, "#.##", ".13"],
  [5n, "0.##", "5"],
  [-5n, "0.0", "-5.0"],
  [1234567n, "0,,.0", "1.2"],
  [1500n, "0,", "2"],
  [0.256, "0.0%", "25.6%"],
  [5n, "0;(0);zero", "5"],
  [-5n, "0;(0);zero", "(5)"],
  [0n, "0;(0);zero", "zero"],
  [-5n, "0;;zero", "-5"],
  [-0.1, "0", "0"],
  [5n, "'id-'0", "id-5"],
  [5n, '0" % done"', "5 % done"],
  [5n, "\\#0", "#5"],
  [12345n, "0.0E+00", "1.2E+04"],
  [12345n, "0.00e0", "1.23e4"],
  [99999n, "0.00E+0", "1.00E+5"],
  [987654n, "#0.0e0", "98.8e4"],
  [86000n, "0.###E-000", "8.6E004"],
  [-12.345, "#0.0#;(#0.0#);-\\0-", "(12.35)"],
  [0.03697, "#0.00\u2030", "36.97\u2030"],
  [42n, "My Number = #", "My Number = 42"],
  [123n, "0-0-0", "1-2-3"],
  [1234n, "00-00", "12-34"],
  [5551234567n, "(###) ###-####", "(555) 123-4567"],
  [5n, "0,000", "0,005"],
  [-0, "F1", "-0.0"],
  [-0.001, "N2", "-0.00"],
  [7n, "0".repeat(1_000), "7".padStart(1_000, "0")],
  [7n, "0".repeat(1_001), undefined],
];

for (const [value, spec, text] of formats) {
  it(`${value} in the format ${JSON.stringify(spec.slice(0, 30))} is ${JSON.stringify(text?.slice(0, 30))}`, () => {
    assert.equal(formatNumber(value, spec), text);
  });
}

const floats: readonly (readonly [value: number, text: string])[] = [
  [3, "3"],
  [-0, "-0"],
  [-0.5, "-0.5"],
  [0.0001, "0.0001"],
  [0.00001, "1E-05"],
  [123456789012345, "123456789012345"],
  [1e15, "1E+15"],
  [1.2345678901234568e17, "1.2345678901234568E+17"],
  [5e-324, "5E-324"],
];

for (const [value, text] of floats) {
  it(`the float ${value} reads ${text}`, () => {
    assert.equal(floatText(value), text);
  });
}

it("a fixed number of places agrees with JavaScript's own rounding of exact values", () => {
  const number = fc.double({ min: -1e15, max: 1e15, noNaN: true });
  fc.assert(
    fc.property(number, fc.integer({ min: 0, max: 20 }), (value, places) => {
      assert.equal(formatNumber(Math.abs(value), `F${places}`), Math.abs(value).toFixed(places));
    }),
  );
});

it("any format of any number is a text or unknown, never an exception", () => {
  const spec = fc.string({
    unit: fc.constantFrom("0", "#", ".", ",", "%", ";", "E", "+", "'", '"', "\\", "x", "N", "9"),
  });
  const value = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n));
  fc.assert(
    fc.property(value, spec, (number, text) => {
      assert.ok(["string", "undefined"].includes(typeof formatNumber(number, text)));
    }),
    { numRuns: 1_000 },
  );
});
