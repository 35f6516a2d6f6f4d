param team string = 'checkout'
param replicas int = 3
param debug bool = false

var ports = [80, 443]

output greeting string = 'hello ${team}'
output half int = replicas / 2
output quiet bool = !debug
output ports array = ports
output settings object = {
  team: team
  replicas: replicas
  nested: {
    ports: ports
  }
}
output everyPort string[] = [for port in ports: 'tcp:${port}']
