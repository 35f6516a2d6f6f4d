param extra array
param more array
output front array = [...extra, 'z']
output middle array = ['a', 'b', ...extra, 'c', ...more]
output only array = [...extra]
var fixed = ['x', ...['y', 'z']]
output fixed array = fixed
