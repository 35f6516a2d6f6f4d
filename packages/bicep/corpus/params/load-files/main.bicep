param script string
param config object
param port int
output all array = [script, config, port]
