type a = string | int
type b = 'x' | 1
type c = string | 'x'
type d = null
type e = null | null
