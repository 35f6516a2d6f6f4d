var a = loadYamlContent('yaml/bad.txt')
