@export()
type size = 'small'
