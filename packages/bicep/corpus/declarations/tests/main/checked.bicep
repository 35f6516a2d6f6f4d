param replicas int
assert enough = replicas > 1
