@export()
type limits = { max: int, min: int? }
