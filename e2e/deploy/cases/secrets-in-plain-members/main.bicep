extension radius

@secure()
param password string

@secure()
param keys object

@secure()
param unset string?

var levels = [
  {
    name: 'first'
    value: password
  }
  {
    name: 'second'
    value: 'open'
  }
]

func shout(text string) string => toUpper(text)

resource web 'Radius.Test/containers@2025-01-01' = {
  name: 'web'
  properties: {
    env: {
      PASSWORD: {
        value: password
      }
      URL: {
        value: 'postgres://admin:${password}@db'
      }
      LEVEL: {
        value: 'info'
      }
      UNSET: {
        value: unset
      }
    }
    args: [
      '--verbose'
      '--password=${password}'
    ]
    settings: {
      keys: keys
      nested: {
        shouted: shout(password)
        hasKey: contains(keys, 'signing')
        open: 'open'
      }
      levels: map(levels, level => { name: level.name, value: level.value })
    }
  }
}

resource workers 'Radius.Test/containers@2025-01-01' = [
  for level in levels: {
    name: 'worker-${level.name}'
    properties: {
      env: {
        VALUE: {
          value: level.value
        }
      }
    }
  }
]

module part 'part.bicep' = {
  name: 'part'
  params: {
    text: 'made of ${password}'
    settings: {
      signing: keys.signing
      open: 'open'
    }
  }
}

output level string = web.properties.env.LEVEL.value
output hidden bool = web.properties.env.PASSWORD.value == null
