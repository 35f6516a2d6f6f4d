output id string = resourceGroup().id
