/** Size of one part of an upload in bytes; the last one is smaller. S3 requires at least 5 MB. */
export const UPLOAD_PART_BYTES = 8 * 1024 * 1024
