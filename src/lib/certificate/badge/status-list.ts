import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** The shortest allowed list: 131,072 entries (W3C Bitstring Status List 1.0). */
const LIST_BYTES = 16_384
const INDEX = 0

/** The entry of a badge in its status list, whose address is given. */
export const statusEntryOf = (statusListCredential: string) => ({
  id: `${statusListCredential}#${INDEX}`,
  type: 'BitstringStatusListEntry',
  statusPurpose: 'revocation',
  statusListIndex: String(INDEX),
  statusListCredential,
})

/** The list in which the entry of a badge is set or not: compressed, in base64url with the prefix of Multibase. */
export async function encodeStatusList(isRevoked: boolean): Promise<string> {
  const bits = Buffer.alloc(LIST_BYTES)
  // The first entry is the highest bit of the first byte.
  if (isRevoked) bits[INDEX] = 0x80
  return `u${(await promisify(gzip)(bits)).toString('base64url')}`
}
