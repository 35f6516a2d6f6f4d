param text string
@maxValue(10)
param number int
param server { host: string }
param size 'small' | 'large'
output all array = [text, number, server, size]
