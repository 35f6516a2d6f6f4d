extension radius

type size = 'small' | 'large'

param sizes size[]

@minValue(1)
@maxValue(5)
param replicas int

resource widget 'Radius.Test/widgets@2025-01-01' = {
  name: 'never-made'
  properties: {
    title: join(sizes, ' ')
    size: replicas
  }
}
