/** Blobs in a bucket, in a separate file so that they are loaded only where there is one. */
export { createS3Blobs } from '../../store/blobs/s3/s3-blobs.js'
export { askBucket, checkBucket } from '../../store/blobs/s3/start.js'
