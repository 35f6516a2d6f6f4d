param config object
param key string
output plain string = config.server.host
output quoted string = config['server'].host
output odd string = config['odd-name'].value
output computed string = config[key]
output interpolated string = config['${key}-x']
output item string = config.hosts[0].name
