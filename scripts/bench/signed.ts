import { mediaBaseUrl } from '#lib/core/files/media-url.ts'
import { ANYONE } from '#lib/core/files/url-token.ts'

/*
 * node signed.ts <tenant> <file>: prints the base of a file's signed URLs for the holder ANYONE, with the secret of its
 * environment. A separate process, because the configuration is read once.
 */
const [, , tenantId = '', fileId = ''] = process.argv
console.log(mediaBaseUrl(tenantId, fileId, ANYONE))
