type size = 'small' | 'large'
param choice size
output size size = choice
