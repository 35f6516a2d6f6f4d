param p string
extension 'x${p}' as y
