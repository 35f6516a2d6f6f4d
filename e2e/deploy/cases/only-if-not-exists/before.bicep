extension radius

resource seeded 'Radius.Test/widgets@2025-01-01' = {
  name: 'seeded'
  properties: {
    title: 'tuned by hand'
    size: 42
  }
}
