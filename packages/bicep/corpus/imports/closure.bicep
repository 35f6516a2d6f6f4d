import { person, describe } from 'closure/people.bicep'
param boss person
output text string = describe(boss)
