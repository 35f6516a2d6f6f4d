param p string
resource a 'Contoso.Data/caches@${p}' = {}
resource b 'not a type' = {}
resource c 'Contoso.Data/caches' = {}
resource d 'zz:Contoso.Data/caches@2024-03-01' = {}
resource e 'az:nothing@1' = {}
