import { timingSafeEqual } from 'node:crypto'
import { keyedDigest } from '#lib/core/encryption.ts'

interface OrderAddress {
  id: string
  email: string
}

/** The token that is sent to the address of an order: who has it reads the emails of this address. */
export const addressTokenOf = ({ id, email }: OrderAddress): string =>
  keyedDigest('order-address', `${id} ${email}`).toString('base64url')

/** Whether a token was sent to the address of an order. */
export function isAddressToken(order: OrderAddress, token: string): boolean {
  const [expected, given] = [Buffer.from(addressTokenOf(order)), Buffer.from(token)]
  return expected.length === given.length && timingSafeEqual(expected, given)
}
