output id string = 'n1'
