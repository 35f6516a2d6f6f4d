import { tier } from 'in-module/types.bicep'
param tier1 tier
module part 'in-module/part.bicep' = {
  name: 'part'
  params: { choice: tier1 }
}
