@export()
type size = 'small' | 'large'
@export()
var preferred = 'small'
