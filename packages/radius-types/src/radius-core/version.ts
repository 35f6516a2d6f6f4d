/** The one api-version of the `Radius.Core` types. */
export const radiusCoreVersion = "2025-08-01-preview";
