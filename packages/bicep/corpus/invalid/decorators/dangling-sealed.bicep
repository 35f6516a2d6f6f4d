var a = 1
@sealed()
