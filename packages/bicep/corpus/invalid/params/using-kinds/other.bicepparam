using none
