using none
import { here, nameOf, plain, remote, viaWildcard } from 'needs-deployment/shared.bicep'
// Nothing is deployed yet that could say where it is.
param a = plain()
