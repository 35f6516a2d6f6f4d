extension
extension kubernetes foo
extension 'br:registry.example.org/x:1' as
extension 5
