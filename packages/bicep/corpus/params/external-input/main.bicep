param stage string
param again string
param label string
param options object
param plain string
output all array = [stage, again, label, options, plain]
