param mode string
output checked string = mode == 'on' ? 'yes' : fail('The mode must be on.')
