@secure()
