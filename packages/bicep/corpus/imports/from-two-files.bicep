import * as a from 'from-two-files/a.bicep'
import * as b from 'from-two-files/b.bicep'
output sum int = a.value + b.value
output names array = [a.name('x'), b.name('x')]
