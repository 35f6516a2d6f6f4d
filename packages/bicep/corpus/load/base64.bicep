var icon = loadFileAsBase64('base64/icon.txt')
output icon string = icon
output direct string = loadFileAsBase64('base64/icon.txt')
