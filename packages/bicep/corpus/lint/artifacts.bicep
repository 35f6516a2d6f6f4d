param _artifactsLocation string = 'https://example.org/'
output where string = _artifactsLocation
