import type { Rule } from "./rule.ts";
import { adminUsernameShouldNotBeLiteral } from "./rules/adminusername-should-not-be-literal.ts";
import { artifactsParameters } from "./rules/artifacts-parameters.ts";
import { decompilerCleanup } from "./rules/decompiler-cleanup.ts";
import { explicitValuesForLocParams } from "./rules/explicit-values-for-loc-params.ts";
import { knownByName } from "./rules/known-by-name.ts";
import { maxAsserts } from "./rules/max-asserts.ts";
import { maxOutputs } from "./rules/max-outputs.ts";
import { maxParams } from "./rules/max-params.ts";
import { maxResources } from "./rules/max-resources.ts";
import { maxVariables } from "./rules/max-variables.ts";
import { nestedDeploymentTemplateScoping } from "./rules/nested-deployment-template-scoping.ts";
import { noConflictingMetadata } from "./rules/no-conflicting-metadata.ts";
import { noDeploymentsResources } from "./rules/no-deployments-resources.ts";
import { noExplicitAny } from "./rules/no-explicit-any.ts";
import { noHardcodedEnvUrls } from "./rules/no-hardcoded-env-urls.ts";
import { noHardcodedLocation } from "./rules/no-hardcoded-location.ts";
import { noLocExprOutsideParams } from "./rules/no-loc-expr-outside-params.ts";
import { noModuleName } from "./rules/no-module-name.ts";
import { noUnnecessaryDependsOn } from "./rules/no-unnecessary-dependson.ts";
import { noUnusedExistingResources } from "./rules/no-unused-existing-resources.ts";
import { noUnusedImports } from "./rules/no-unused-imports.ts";
import { noUnusedParams } from "./rules/no-unused-params.ts";
import { noUnusedTypes } from "./rules/no-unused-types.ts";
import { noUnusedVars } from "./rules/no-unused-vars.ts";
import { outputsShouldNotContainSecrets } from "./rules/outputs-should-not-contain-secrets.ts";
import { preferInterpolation } from "./rules/prefer-interpolation.ts";
import { preferUnquotedPropertyNames } from "./rules/prefer-unquoted-property-names.ts";
import { protectCommandToExecuteSecrets } from "./rules/protect-commandtoexecute-secrets.ts";
import { secureParameterDefault } from "./rules/secure-parameter-default.ts";
import { secureParamsInNestedDeploy } from "./rules/secure-params-in-nested-deploy.ts";
import { secureParamsInParametersFile } from "./rules/secure-params-in-parameters-file.ts";
import { secureSecretsInParams } from "./rules/secure-secrets-in-params.ts";
import { simplifyInterpolation } from "./rules/simplify-interpolation.ts";
import { simplifyJsonNull } from "./rules/simplify-json-null.ts";
import { stacksExtensibilityCompat } from "./rules/stacks-extensibility-compat.ts";
import { useDescriptionOutputs } from "./rules/use-description-outputs.ts";
import { useDescriptionParams } from "./rules/use-description-params.ts";
import { useDescriptionTypeProperties } from "./rules/use-description-type-properties.ts";
import { useDescriptionTypes } from "./rules/use-description-types.ts";
import { useDescriptionVars } from "./rules/use-description-vars.ts";
import { useParentProperty } from "./rules/use-parent-property.ts";
import { useRecentAzPowerShellVersion } from "./rules/use-recent-az-powershell-version.ts";
import { useResourceIdFunctions } from "./rules/use-resource-id-functions.ts";
import { useResourceSymbolReference } from "./rules/use-resource-symbol-reference.ts";
import { useSafeAccess } from "./rules/use-safe-access.ts";
import { useSecureValueForSecureInputs } from "./rules/use-secure-value-for-secure-inputs.ts";
import { useStableResourceIdentifiers } from "./rules/use-stable-resource-identifiers.ts";
import { useStableVmImage } from "./rules/use-stable-vm-image.ts";
import { useUserDefinedTypes } from "./rules/use-user-defined-types.ts";

/** Every rule, in the order of their names. */
export const rules: readonly Rule[] = [
  adminUsernameShouldNotBeLiteral,
  artifactsParameters,
  decompilerCleanup,
  explicitValuesForLocParams,
  maxAsserts,
  maxOutputs,
  maxParams,
  maxResources,
  maxVariables,
  nestedDeploymentTemplateScoping,
  noConflictingMetadata,
  noDeploymentsResources,
  noExplicitAny,
  noHardcodedEnvUrls,
  noHardcodedLocation,
  noLocExprOutsideParams,
  noModuleName,
  noUnnecessaryDependsOn,
  noUnusedExistingResources,
  noUnusedImports,
  noUnusedParams,
  noUnusedTypes,
  noUnusedVars,
  outputsShouldNotContainSecrets,
  preferInterpolation,
  preferUnquotedPropertyNames,
  protectCommandToExecuteSecrets,
  secureParameterDefault,
  secureParamsInNestedDeploy,
  secureParamsInParametersFile,
  secureSecretsInParams,
  simplifyInterpolation,
  simplifyJsonNull,
  stacksExtensibilityCompat,
  useDescriptionOutputs,
  useDescriptionParams,
  useDescriptionTypeProperties,
  useDescriptionTypes,
  useDescriptionVars,
  useParentProperty,
  useRecentAzPowerShellVersion,
  useResourceIdFunctions,
  useResourceSymbolReference,
  useSafeAccess,
  useSecureValueForSecureInputs,
  useStableResourceIdentifiers,
  useStableVmImage,
  useUserDefinedTypes,
  ...knownByName,
].toSorted((left, right) => (left.name < right.name ? -1 : 1));
