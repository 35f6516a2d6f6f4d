using 'br/own:network:v1'
param prefix = '10.0.0.0/8'
