import { tier } from 'types.bicep'
type alias = tier
param choice alias
output choice string = choice
