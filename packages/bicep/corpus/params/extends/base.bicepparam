using none
param name = 'shop'
param tier = 'basic'
param tags = { team: 'shop' }
