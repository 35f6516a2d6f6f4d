var a = loadTextContent('encodings/marked.txt', 'us-ascii')
