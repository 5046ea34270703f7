import { type SQL, sql } from 'drizzle-orm'
import { salesOrder } from './table.ts'

/** Condition: orders of the person with this address, also by another spelling of it. */
export const isSameMailbox = (email: string): SQL => sql`mailbox_of(${salesOrder.email}) = mailbox_of(${email}::text)`
