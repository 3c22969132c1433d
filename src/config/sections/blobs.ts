/** blobs.toml: where large messages and files are kept. */
import { z } from 'zod'
import { bucketAddress, flag, optional, path, regionName, safeAddress, setting } from '../setting/setting.js'

export const blobs = z.strictObject({
  url: setting(optional(bucketAddress), '', {
    about:
      'S3 bucket, with an optional prefix, for messages and files over 64 KiB: "s3://bucket/prefix". One place belongs to one data folder. Smaller ones stay in the database. docs/blobs.md says what the bucket needs, and how to move existing files.',
    otherwise: 'files in server.data_dir',
  }),
  endpoint: setting(optional(safeAddress), '', {
    about: 'S3 server, without the bucket. It gets all large mail, so it needs TLS unless it is on this machine.',
    otherwise: 'that of Amazon Web Services in blobs.region',
  }),
  region: setting(regionName, 'us-east-1', {
    about: 'Region of the bucket, which requests are signed for. Servers without regions mostly take "us-east-1".',
  }),
  path_style: setting(flag, false, {
    about:
      'Address objects as https://server/bucket/key instead of https://bucket.server/key. Most servers other than that of Amazon Web Services need this.',
  }),
  credentials_file: setting(optional(path), '', {
    about:
      'File with the lines aws_access_key_id = …, aws_secret_access_key = … and, for temporary credentials, aws_session_token = …. It is read again after a few minutes, so that it can be replaced.',
    otherwise: 'the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN',
  }),
  ca_file: setting(optional(path), '', {
    about: 'CA certificates (PEM) to trust for blobs.endpoint, for a server with a private CA.',
    otherwise: 'the public CAs',
  }),
})
