/** Where something made of a file lies in the object store, e.g. `captions/uk.vtt`. */
export const madeKey = (tenantId: string, fileId: string, path: string): string => `${tenantId}/${fileId}.made/${path}`
