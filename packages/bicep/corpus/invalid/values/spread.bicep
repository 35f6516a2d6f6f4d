var a = [...1]
var b = { ...'x' }
param list string[]
var c int[] = [...list]
