output a object = providers('Contoso.Data')
