param production bool
output tier string = production ? 'premium' : 'basic'
output settings object = production ? { replicas: 3 } : {}
output nothing bool = (production ? null : 'x') == null
