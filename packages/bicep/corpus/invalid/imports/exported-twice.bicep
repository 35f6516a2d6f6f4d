import { twice, once } from 'exported-twice/shared.json'
import * as shared from 'exported-twice/shared.json'
output a string = once
output b string = shared.once
