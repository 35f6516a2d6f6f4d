var a = "b"
