var script = '''
#!/bin/sh
echo "no ${holes} or \n escapes"
'''
var oneLine = '''kept'''
var empty = ''''''
var quotes = '''two ''quotes'' inside'''
var trailingQuotes = '''ends with one''''
output texts array = [script, oneLine, empty, quotes, trailingQuotes]
