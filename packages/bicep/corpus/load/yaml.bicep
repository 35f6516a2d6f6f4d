var config = loadYamlContent('yaml/config.yaml')
output host string = config.server.host
output name string = loadYamlContent('yaml/config.yaml', 'names[0]')
