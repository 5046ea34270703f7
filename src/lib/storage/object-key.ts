/** The object store's key of a file's own bytes. */
export const objectKey = (tenantId: string, fileId: string): string => `${tenantId}/${fileId}`
