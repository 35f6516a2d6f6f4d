using 'nowhere.bicep'
extends 'nowhere.bicepparam'
