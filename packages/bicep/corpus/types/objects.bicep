type server = {
  host: string
  port: int?
  'odd-name': bool
  tls: {
    version: '1.2' | '1.3'
  }
}
type open = {
  known: string
  *: int
}
type map = { *: string }
type empty = {}
param given server
output host string = given.host
output port int = given.?port ?? 80
