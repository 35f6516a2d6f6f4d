metadata a 5
metadata = 5
targetScope
