var a = 'abc
