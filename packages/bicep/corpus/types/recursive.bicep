type node = {
  value: int
  next: node?
}
type tree = {
  children: (tree?)[]
}
type folder = {
  *: folder
}
param head node
param forest tree
param files folder
output second int = head.next!.value
output all array = [forest, files]
