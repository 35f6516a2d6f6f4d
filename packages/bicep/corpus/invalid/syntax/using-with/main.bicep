output done bool = true
