using 'main\q.bicep'
