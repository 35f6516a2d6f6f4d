export { templateFold } from "./fold.ts";
export { typeOfInterpolation } from "./interpolation.ts";
export { azNamespace, resourceDerivedTypes, sysNamespace, thisNamespace } from "./namespaces.ts";
export type { NamespaceOptions } from "./namespaces.ts";
export { typeOfBinary, typeOfTernary, typeOfUnary } from "./operators.ts";
export type { BinaryOperator, OperatorResult, UnaryOperator } from "./operators.ts";
export { parameterTypeAt, resolveOverload } from "./resolve-overload.ts";
export type { OverloadResolution } from "./resolve-overload.ts";
export { printSignature } from "./signature.ts";
