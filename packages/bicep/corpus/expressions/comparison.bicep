param left int
param right int
param name string
output less bool = left < right
output lessOrEqual bool = left <= right
output greater bool = left > right
output greaterOrEqual bool = left >= right
output same bool = left == right
output other bool = left != right
output alike bool = name =~ 'ADMIN'
output unlike bool = name !~ 'ADMIN'
output earlier bool = name < 'm'
