using none
param a = readEnvironmentVariable('CORPUS_NOT_SET')
