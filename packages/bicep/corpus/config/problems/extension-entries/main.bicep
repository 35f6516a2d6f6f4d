extension wrong
extension invented
