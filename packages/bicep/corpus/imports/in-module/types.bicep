@export()
type tier = 'basic' | 'premium'
