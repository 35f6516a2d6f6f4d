module a 'br/empty:x:v1' = {}
module b 'ts/empty:x:v1' = {}
module c 'ts/half:x:v1' = {}
