extension radius
output b object = radius
