import 'types@1.0.0' as shop
