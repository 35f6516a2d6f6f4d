param ready bool
param open bool
param done bool
output both bool = ready && open && done
output either bool = ready || open && done
output neither bool = !(ready || open)
output literals bool = true && !false || ready
