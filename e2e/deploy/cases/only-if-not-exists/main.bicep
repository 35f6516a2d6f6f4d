extension radius

@onlyIfNotExists()
resource seeded 'Radius.Test/widgets@2025-01-01' = {
  name: 'seeded'
  properties: {
    title: 'a default'
    size: 1
  }
}

@onlyIfNotExists()
resource fresh 'Radius.Test/widgets@2025-01-01' = {
  name: 'fresh'
  properties: {
    title: 'a default'
    size: 1
  }
}

output sizes array = [seeded.properties.size, fresh.properties.size]
