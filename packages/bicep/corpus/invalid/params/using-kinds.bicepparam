using 'using-kinds/other.bicepparam'
