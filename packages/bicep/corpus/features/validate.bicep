@validate(name => startsWith(name, 'shop'), 'A name starts with shop.')
param name string
@validate(n => n % 2 == 0)
type even = int
param count even
output all array = [name, count]
