extension nothing
extension kubernetes
extension radius with { x: 1 }
