extension radius
extension radius
extension aws as radius
