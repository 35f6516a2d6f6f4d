@export()
func tierOf(replicas int) string => replicas > 1 ? 'large' : 'small'
