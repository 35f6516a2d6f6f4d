param port int
var single = $'''port ${port}'''
var surplus = $'''cost $${port}'''
var double = $$'''literal ${port}, value $${port}'''
var lines = $'''
first ${port}
second
'''
output texts array = [single, surplus, double, lines]
