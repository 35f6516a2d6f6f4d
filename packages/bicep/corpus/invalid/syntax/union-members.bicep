type a = 'x' |
type b = 'y'
