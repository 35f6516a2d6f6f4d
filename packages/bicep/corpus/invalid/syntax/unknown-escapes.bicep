var a = '\q\u{zz}\u{110000}\u4'
