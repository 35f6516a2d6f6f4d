targetScope = 'subscription'
output id string = subscription().id
