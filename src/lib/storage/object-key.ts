/** The object store's key of a file's own bytes. */
export const keyOf = (tenantId: string, fileId: string): string => `${tenantId}/${fileId}`
