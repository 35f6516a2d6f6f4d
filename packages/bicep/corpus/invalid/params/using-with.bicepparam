using none with {
  mode: 'deployment'
}
param a = 1
