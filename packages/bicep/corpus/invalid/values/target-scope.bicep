targetScope = 'planet'
