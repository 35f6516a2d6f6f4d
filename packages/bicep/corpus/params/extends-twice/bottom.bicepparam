using none
param name = 'x'
param size = 2
param input = externalInput('sys.cli', 'x')
