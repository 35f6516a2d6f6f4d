output text string = 'x'
