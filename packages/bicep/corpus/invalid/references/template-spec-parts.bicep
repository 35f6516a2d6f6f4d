module a 'ts:11111111-1111-1111-1111-111111111111/bad*group/name:v1' = {}
module b 'ts:11111111-1111-1111-1111-111111111111/group/bad name:v1' = {}
module c 'ts:11111111-1111-1111-1111-111111111111/group/name:bad version' = {}
module d 'ts:11111111-1111-1111-1111-111111111111/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/name:v1' = {}
module e 'ts:11111111-1111-1111-1111-111111111111/group/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:v1' = {}
module f 'ts:11111111-1111-1111-1111-111111111111/group/name:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' = {}
