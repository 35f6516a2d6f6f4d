using 'app.bicep'

param cached = true
param services = [
  { name: 'web', image: 'ghcr.io/example/shop-web:1.1', port: 8080 }
  { name: 'orders', image: 'ghcr.io/example/shop-orders:1.0', port: 9090 }
  { name: 'mail', image: 'ghcr.io/example/shop-mail:1.0', port: 2525 }
]
