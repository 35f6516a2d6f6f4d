type shop = { address: { city: string }, sizes: ('small' | 'large')[] }
param a shop = {
  address: {}
  sizes: ['small', 'smal']
}
