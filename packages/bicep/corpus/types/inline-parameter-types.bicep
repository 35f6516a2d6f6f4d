param server { host: string, port: int? }
param names string[]
param pair [string, int]
param size 'small' | 'large' = 'small'
param maybe string?
output all array = [server, names, pair, size, maybe]
