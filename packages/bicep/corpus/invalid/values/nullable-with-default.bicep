param a string? = 'x'
