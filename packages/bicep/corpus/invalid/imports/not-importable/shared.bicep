@export()
type size = 'small' | 'large'
