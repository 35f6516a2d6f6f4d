var a = 1
@minLength(1)
