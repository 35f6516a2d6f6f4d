using none
param a = getSecret('11111111-1111-1111-1111-111111111111', 'group', 'vault', 'name')
param b = '${getSecret('11111111-1111-1111-1111-111111111111', 'group', 'vault', 'name')}'
param c = a
param d = null
param e = d
