param index int
output text string = 'p${index}'
