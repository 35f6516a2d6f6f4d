module a 'br:' = {}
module b 'br:registry.example.org' = {}
module c 'br:registry.example.org/path' = {}
module d 'br:registry.example.org/path:bad tag' = {}
module e 'br:registry.example.org/UPPER:v1' = {}
module f 'br/missing:path:v1' = {}
module g 'br/!!:path:v1' = {}
