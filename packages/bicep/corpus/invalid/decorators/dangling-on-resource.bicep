var a = 1
@batchSize(1)
