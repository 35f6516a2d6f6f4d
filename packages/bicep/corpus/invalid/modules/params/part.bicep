param text string
param number int
output all array = [text, number]
