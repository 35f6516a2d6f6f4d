import {
  additionalOf,
  anyArray,
  anyType,
  arrayOf,
  boolType,
  intType,
  lambdaOf,
  lengthsOf,
  objectOf,
  stringType,
} from "../types/index.ts";
import type { LambdaType, Type } from "../types/index.ts";
import { itemOf, memberOf } from "./array-results.ts";

// Functions that take a lambda: what the lambda is given, and what becomes of its result.

/** The lambda of `map`: an item and, if it asks, the item's index. */
export function mapLambda([list]: readonly Type[]): LambdaType {
  return lambdaOf([itemOf(list)], anyType, [intType]);
}

export function filterLambda([list]: readonly Type[]): LambdaType {
  return lambdaOf([itemOf(list)], boolType, [intType]);
}

/** The lambda of `reduce`: what was accumulated is not known in advance. */
export function reduceLambda([list]: readonly Type[]): LambdaType {
  return lambdaOf([anyType, itemOf(list)], anyType, [intType]);
}

export function sortLambda([list]: readonly Type[]): LambdaType {
  return lambdaOf([itemOf(list), itemOf(list)], boolType);
}

export function keyLambda([list]: readonly Type[]): LambdaType {
  return lambdaOf([itemOf(list)], stringType);
}

export function valueLambda([list]: readonly Type[]): LambdaType {
  return lambdaOf([itemOf(list)], anyType);
}

export function memberLambda([object]: readonly Type[]): LambdaType {
  return lambdaOf([memberOf(object)], anyType);
}

export function mapped([list, lambda]: readonly Type[]): Type {
  const lengths = list === undefined ? undefined : lengthsOf(list);
  return arrayOf(resultOf(lambda), { minLength: lengths?.min, maxLength: lengths?.max });
}

/** Any number of items may be left over. */
export function filtered([list]: readonly Type[]): Type {
  return arrayOf(itemOf(list), { maxLength: list === undefined ? undefined : lengthsOf(list)?.max });
}

/** The same items in another order. */
export function sorted([list]: readonly Type[]): Type {
  const lengths = list === undefined ? undefined : lengthsOf(list);
  return list === undefined ? anyArray : arrayOf(itemOf(list), { minLength: lengths?.min, maxLength: lengths?.max });
}

export function reduced([, , lambda]: readonly Type[]): Type {
  return resultOf(lambda);
}

/** An object whose members are items, or what the second lambda makes of them. */
export function keyed([list, , value]: readonly Type[]): Type {
  return objectOf([], { additional: additionalOf(value === undefined ? itemOf(list) : resultOf(value)) });
}

/** An object whose members are arrays of items that share a key. */
export function grouped([list, , value]: readonly Type[]): Type {
  return objectOf([], { additional: additionalOf(arrayOf(value === undefined ? itemOf(list) : resultOf(value))) });
}

export function mappedMembers([, lambda]: readonly Type[]): Type {
  return objectOf([], { additional: additionalOf(resultOf(lambda)) });
}

function resultOf(lambda: Type | undefined): Type {
  return lambda?.kind === "lambda" ? lambda.result : anyType;
}
