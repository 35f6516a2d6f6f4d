param size string
output number int = any(size)
output chained string = any({ a: 1 }).b
output inCall int = length(any(size))
