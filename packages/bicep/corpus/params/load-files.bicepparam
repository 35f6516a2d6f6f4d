using 'load-files/main.bicep'
param script = loadTextContent('load-files/script.sh')
param config = loadJsonContent('load-files/config.json')
param port = loadJsonContent('load-files/config.json', 'port')
