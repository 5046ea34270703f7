import { mediaBase } from '#lib/core/files/media-ticket.ts'
import { ANYONE } from '#lib/core/files/ticket.ts'

/*
 * node signed.ts <tenant> <file>: the beginning of a file's signed addresses for anyone, by the secret of its
 * environment. A process of its own, because the configuration is read once.
 */
const [, , tenantId = '', fileId = ''] = process.argv
console.log(mediaBase(tenantId, fileId, ANYONE))
