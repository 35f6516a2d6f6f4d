using 'environment/main.bicep'
param region = readEnvironmentVariable('CORPUS_REGION')
param tier = readEnvironmentVariable('CORPUS_NOT_SET', 'basic')
param replicas = int(readEnvironmentVariable('CORPUS_REPLICAS'))
