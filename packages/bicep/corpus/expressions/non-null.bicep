param name string?
param config { host: string? }
output known string = name!
output host string = config.host!
