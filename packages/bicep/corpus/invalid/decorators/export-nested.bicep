type a = {
  @export()
  b: string
}
