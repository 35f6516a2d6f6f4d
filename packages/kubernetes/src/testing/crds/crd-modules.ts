/** A Go module that carries the CustomResourceDefinitions of a product. */
export interface CrdModule {
  readonly path: string;
  readonly version: string;
  /** Digest of the module, as go.sum has it. */
  readonly sum: string;
  /** Glob of YAML files; documents of other kinds in them are left out. */
  readonly files: string;
}

export const crdModules = {
  contour: {
    path: "github.com/projectcontour/contour",
    version: "v1.32.0",
    sum: "h1:mOy8JEa6im5FOToJJugVVJYVcNp/mkb72H3ymdTg1PM=",
    files: "examples/contour/01-crds.yaml",
  },
  dapr: {
    path: "github.com/dapr/dapr",
    version: "v1.14.0",
    sum: "h1:SIQsNX1kH31JRDIS4k8IZ6eomM/BAcOP844PhQIT+BQ=",
    files: "charts/dapr/crds/*.yaml",
  },
  "secrets-store": {
    path: "sigs.k8s.io/secrets-store-csi-driver",
    version: "v1.4.0",
    sum: "h1:R9JVcKOs11fEuiOLlH1BWMeyb6WYzvElRVkq1BWJkr4=",
    files: "config/crd/bases/*.yaml",
  },
  "gateway-api": {
    path: "sigs.k8s.io/gateway-api",
    version: "v1.3.0",
    sum: "h1:q6okN+/UKDATola4JY7zXzx40WO4VISk7i9DIfOvr9M=",
    // The standard channel has no TLSRoute, TCPRoute and UDPRoute.
    files: "config/crd/experimental/*.yaml",
  },
} as const satisfies Record<string, CrdModule>;

export type CrdProduct = keyof typeof crdModules;
