var a = sys
output b object = az
type c = sys
