type a = a
type b = c
type c = b
type d = { next: d }
type e = e[]
type f = [f]
param g a
