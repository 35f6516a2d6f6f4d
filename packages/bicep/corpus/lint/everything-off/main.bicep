param unused string
