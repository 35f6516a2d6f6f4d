/** The one api-version of the `Applications.*` types. */
export const applicationsVersion = "2023-10-01-preview";
