param missing string?

output nothing string? = missing
output count int = length(missing ?? '')
