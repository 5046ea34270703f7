import { and, eq, exists, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Email } from '#lib/core/shared/text/email.ts'
import { phoneQuery } from '#lib/core/shared/text/phone.ts'
import { orderWord, salesOrder } from '../order/table.ts'

const MAX_WORDS = 8

/** Between the words of names and addresses; the function `order_words` of the database has the same. */
const SEPARATORS = /[\s@.,;:/()+"«»_-]+/

/** Above the beginning of every word. */
const LAST_CHARACTER = '\u{10ffff}'

/**
 * Condition: orders whose buyer, or recipient of a gift, has in names and addresses, for every word of a query, a word that
 * begins with it, or has this phone. Case and the kind of apostrophe are ignored. Undefined for a query without words.
 */
export function matchesBuyer(tx: Tx, query: string): SQL | undefined {
  const phone = phoneQuery(query)
  // The function `order_words` stores the same digits.
  if (phone && 'key' in phone) return hasWord(tx, phone.key)
  const words = wordsOf(query)
  if (words.length === 0) return query.trim() === '' ? undefined : sql`false`
  const found = and(...words.map((word) => hasWord(tx, word)))
  if (!phone) return found
  return or(found, hasWord(tx, phone.part), phone.beginning ? hasWord(tx, phone.beginning) : undefined)
}

/** Condition: orders with a word that begins with this one. */
function hasWord(tx: Tx, word: string): SQL {
  const first = sql`search_text(${word}) collate "C"`
  // Row-level security permits an index with these operators, and not with `like`.
  const begins = sql`${orderWord.word} >= ${first} and ${orderWord.word} < (search_text(${word}) || ${LAST_CHARACTER}) collate "C"`
  return exists(
    tx
      .select({ orderId: orderWord.orderId })
      .from(orderWord)
      .where(and(eq(orderWord.tenantId, salesOrder.tenantId), eq(orderWord.orderId, salesOrder.id), begins)),
  )
}

function wordsOf(query: string): string[] {
  // An address is stored as it is sent: `xn--…` for an internationalised domain.
  const texts = query
    .normalize()
    .split(/\s+/)
    .map((text) => (text.includes('@') ? (Email.safeParse(text).data ?? text) : text))
  const words = texts.flatMap((text) => text.split(SEPARATORS)).filter(Boolean)
  return [...new Set(words)].slice(0, MAX_WORDS)
}
