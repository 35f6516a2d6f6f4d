type node = { next: { value: int }? }
param n node
output a int = n.next.value
output b int = n.?next.value ?? 0
output c int = n.next!.value
