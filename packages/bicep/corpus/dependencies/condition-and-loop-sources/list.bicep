output values array = [1, 2]
