var a = 1
@retryOn(['TooManyRequests'], 2)
