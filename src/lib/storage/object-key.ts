/** The object key of a file's original. */
export const objectKey = (tenantId: string, fileId: string): string => `${tenantId}/${fileId}`
