using 'using-with/main.bicep' foo
