import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { emit } from "./testing/compile.ts";

const files = { "/modules/child.bicep": "param deep object\n\noutput o string = deep.x\n" };
const source = `param p string

resource r 'My.Rp/a@2020-01-01' = {
  name: p
  properties: {
    list: [
      1
      p
    ]
    loop: [for x in [p]: {
      inside: x
    }]
  }
}

module m 'modules/child.bicep' = {
  name: 'm'
  params: {
    deep: {
      x: 'y'
    }
  }
}

output o string = r.id
`;

describe("source maps", () => {
  const { sourceMap } = emit(source, { files, sourceMap: true });
  const at = (...path: (string | number)[]) => {
    const place = sourceMap?.find(path);
    return place && `${place.file}:${place.line}:${place.column}`;
  };

  it("lead to the nearest value that there is", () => {
    assert.equal(at("outputs", 0), at("outputs"));
    assert.equal(at("outputs", "o", "value", "nobody"), at("outputs", "o", "value"));
  });

  it("lead from values to the lines that they come from", () => {
    assert.equal(at("parameters", "p"), "/main.bicep:1:1");
    assert.equal(at("resources", 0), "/main.bicep:3:1");
    assert.equal(at("resources", 0, "type"), "/main.bicep:3:12");
    assert.equal(at("resources", 0, "name"), "/main.bicep:4:9");
    assert.equal(at("resources", 0, "properties"), "/main.bicep:5:3");
    assert.equal(at("resources", 0, "properties", "list", 1), "/main.bicep:8:7");
    assert.equal(at("resources", 0, "properties", "copy", 0, "input", "inside"), "/main.bicep:11:7");
    assert.equal(at("outputs", "o", "value"), "/main.bicep:25:19");
  });

  it("lead from values without a source to what is around them", () => {
    assert.equal(at("resources", 0, "properties", "unknown", "deeper"), "/main.bicep:5:3");
    assert.equal(at("resources", 0, "name", "deeper"), "/main.bicep:4:9");
    assert.equal(at("resources", "zero"), undefined);
    assert.equal(at("contentVersion"), undefined);
    assert.equal(at(), undefined);
  });

  it("lead through modules into their files", () => {
    const properties = ["resources", 1, "properties"] as const;
    assert.equal(at(...properties, "parameters", "deep", "value", "x"), "/main.bicep:20:7");
    assert.equal(at(...properties, "template", "outputs", "o", "value"), "/modules/child.bicep:3:19");
  });

  it("list everything that has a source", () => {
    const entries = new Map(Array.from(sourceMap?.entries() ?? [], ([path, place]) => [path.join("/"), place.line]));
    assert.equal(entries.get("resources/0/name"), 4);
    assert.equal(entries.get("resources/1/properties/template/parameters/deep"), 1);
    assert.equal(entries.has("contentVersion"), false);
  });

  it("are made only when asked for", () => {
    assert.equal(emit(source, { files }).sourceMap, undefined);
  });
});
