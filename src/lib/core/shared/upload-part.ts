/** Bytes of one part of an upload; the last one is smaller. S3 takes no less than 5 MB. */
export const UPLOAD_PART_BYTES = 8 * 1024 * 1024
