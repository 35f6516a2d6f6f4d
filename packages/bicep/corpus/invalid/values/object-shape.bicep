type server = { host: string, port: int? }
@sealed()
type strict = { host: string }
param a server = {}
param b server = { host: 1 }
param c strict = { host: 'h', extra: 1 }
param d strict = { hosts: 'h' }
param e server = { host: 'h', extra: 1 }
