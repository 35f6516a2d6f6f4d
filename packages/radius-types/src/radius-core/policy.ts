import { basePolicy, type TypePolicy } from "@rad/resources/policy";

/** Templates and people leave out the location, and there is one only. */
export const radiusCorePolicy: TypePolicy = { ...basePolicy, locationRequired: false };
