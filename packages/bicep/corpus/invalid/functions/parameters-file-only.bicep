var a = readEnvironmentVariable('X')
var b = externalInput('sys.cli', 'x')
var c = getSecret('a', 'b', 'c', 'd')
