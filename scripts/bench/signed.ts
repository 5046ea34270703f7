import { mediaBaseUrl } from '#lib/core/files/media-url.ts'
import { ANYONE } from '#lib/core/files/url-token.ts'

/*
 * node signed.ts <tenant> <file>: the beginning of a file's signed addresses for anyone, by the secret of its
 * environment. A process of its own, because the configuration is read once.
 */
const [, , tenantId = '', fileId = ''] = process.argv
console.log(mediaBaseUrl(tenantId, fileId, ANYONE))
