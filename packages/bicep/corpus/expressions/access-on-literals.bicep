param index int
output third int = [1, 2, 3][2]
output picked string = ['a', 'b'][index]
output member int = { one: 1 }.one
output fromCall string = split('a,b', ',')[index]
