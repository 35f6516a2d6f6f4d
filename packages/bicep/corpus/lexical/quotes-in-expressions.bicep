param who string
output greeting string = 'it\'s ${who}\'s {turn}'
output nested string = 'outer ${'inner ${who}'}'
