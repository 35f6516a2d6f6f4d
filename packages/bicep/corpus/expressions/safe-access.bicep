param config object
param list array
output one string = config.?host ?? 'none'
output chained string = config.?server.host ?? 'none'
output deeper string = config.?server.?tls.?version ?? 'none'
output item string = list[?0] ?? 'none'
output itemMember string = list[?0].name ?? 'none'
output named string = config[?'odd-name'] ?? 'none'
