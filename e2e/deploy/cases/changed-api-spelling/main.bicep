extension radius

resource widget 'radius.test/WIDGETS@2025-01-01' = {
  name: 'sPELLED'
  properties: {
    title: 'spelled'
  }
}

output title string = widget.properties.title
