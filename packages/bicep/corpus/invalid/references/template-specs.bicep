module a 'ts:' = {}
module b 'ts:11111111-1111-1111-1111-111111111111/group/name' = {}
module c 'ts:11111111-1111-1111-1111-111111111111/group' = {}
module d 'ts/missing:name:v1' = {}
module e 'unknown:thing' = {}
