param replicas int
assert enough = replicas > 1
assert even = replicas % 2 == 0
