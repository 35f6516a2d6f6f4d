extension aws
// What is handed over is an id of Azure, which the resources of extensions do not have.
param bucket resource 'AWS.S3/Bucket'
output made resource 'AWS.S3/Bucket' = bucket
