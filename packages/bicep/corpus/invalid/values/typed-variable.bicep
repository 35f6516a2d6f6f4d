var a int = 'x'
type size = 'small' | 'large'
var b size = 'medium'
