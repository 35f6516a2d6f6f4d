using none
extends 'extends-twice-in-one-file/a.bicepparam'
extends 'extends-twice-in-one-file/b.bicepparam'
