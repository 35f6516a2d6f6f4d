using 'arm-template/main.json'
param name = 'x'
