var count int = 3
var name string = 'shop'
var names string[] = ['a', 'b']
type size = 'small' | 'large'
var chosen size = 'small'
output all array = [count, name, names, chosen]
