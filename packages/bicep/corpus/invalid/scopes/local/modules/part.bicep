targetScope = 'local'
param size int
output size int = size
