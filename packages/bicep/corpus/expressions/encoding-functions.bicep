param text string
output encoded array = [
  base64(text)
  base64ToString(text)
  base64ToJson(text)
  dataUri(text)
  dataUriToString(text)
  uri('https://example.org/', text)
  uriComponent(text)
  uriComponentToString(text)
  buildUri({ scheme: 'https', host: 'example.org' })
  parseUri('https://example.org/a')
  guid(text, 'x')
  uniqueString(text)
  json(text)
  string(1)
  int('1')
  bool('true')
]
