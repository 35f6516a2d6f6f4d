using none
param flag = true
// A reference to a vault is no value that an expression could choose, whichever branch is taken.
param a = flag ? getSecret('11111111-1111-1111-1111-111111111111', 'group', 'vault', 'name') : 'x'
param b = flag ? 'y' : az.getSecret('11111111-1111-1111-1111-111111111111', 'group', 'vault', 'name')
