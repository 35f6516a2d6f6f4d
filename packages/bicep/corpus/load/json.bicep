var config = loadJsonContent('json/config.json')
output host string = config.server.host
output port int = loadJsonContent('json/config.json', 'server.port')
output second string = loadJsonContent('json/config.json', '$.names[1]', 'utf-8')
output ratio object = { ratio: loadJsonContent('json/config.json').ratio }
