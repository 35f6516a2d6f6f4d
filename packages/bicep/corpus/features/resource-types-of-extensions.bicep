extension aws
param bucket resource 'AWS.S3/Bucket'
output type string = bucket.type
output region string? = bucket.?region
