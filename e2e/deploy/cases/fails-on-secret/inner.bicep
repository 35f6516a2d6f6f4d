@secure()
param password string
param index int

@secure()
output never string = split(password, '-')[index + 100]
