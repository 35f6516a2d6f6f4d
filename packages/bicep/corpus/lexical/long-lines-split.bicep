param tier string
param zones array

var size = tier == 'large'
  ? 8
  : tier == 'medium'
    ? 4
    : 2

output picked string = join(
  map(
    zones,
    zone =>
      '${zone}-${size}'
  ),
  ','
)
