var a = map([1], x => missing)
var b = filter([1], x => 'text')
var c = map([1], () => 1)
var d = x => x
var e = sort([1], x => true)
