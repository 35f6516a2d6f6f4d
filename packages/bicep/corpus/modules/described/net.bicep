metadata description = 'A network.'
output done bool = true
