var a = 1
@allowed(['x'])
