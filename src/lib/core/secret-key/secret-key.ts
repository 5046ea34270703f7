import { eq, sql } from 'drizzle-orm'
import { inSystem, inTenant, pool, type Tx } from '../db/db.ts'
import { type Cipher, cipherOf, createKeyFile, keyFile, readMasterKey } from '../encryption.ts'
import { secretKey } from './table.ts'

/** A column with values that are encrypted with the key of the installation. */
export interface EncryptedColumn {
  table: string
  column: string
  /** The purpose with which its values are encrypted. */
  purpose: string
  /** Row-level security shows the rows of one tenant at a time. */
  isIsolated: boolean
  /** For messages. */
  name: string
}

export interface EncryptedValue extends Record<string, unknown> {
  /** Place of the row, valid until the end of the transaction. */
  place: string
  value: string
}

/** The key of the installation is missing or is another one. The message says what would be unreadable. */
export class SecretKeyError extends Error {}

export type SecretKeyState =
  | { kind: 'unused' }
  | { kind: 'right'; unreadable: string[] }
  | { kind: 'missing' | 'wrong' | 'rotating'; unreadable: string[] }

/**
 * Requires that the key of the installation is the one with which its data is encrypted. Stores the fingerprint at the
 * first start, and creates a key file only when nothing is encrypted yet. Throws SecretKeyError.
 */
export async function requireSecretKey(columns: readonly EncryptedColumn[]): Promise<void> {
  const state = await readSecretKeyState(columns)
  if (state.kind === 'missing' || state.kind === 'wrong' || state.kind === 'rotating') {
    throw new SecretKeyError(describeSecretKey(state))
  }
  if (state.kind === 'unused' && !readMasterKey()) createKeyFile()
  const cipher = currentCipher()
  if (!cipher) throw new SecretKeyError(describeSecretKey({ kind: 'missing', unreadable: [] }))
  const fingerprint = cipher.fingerprint()
  const stored = await inSystem(async (tx) => {
    await tx.insert(secretKey).values({ fingerprint }).onConflictDoNothing()
    return findFingerprint(tx)
  })
  // Another process with another key was first.
  if (!stored?.fingerprint.equals(fingerprint))
    throw new SecretKeyError(describeSecretKey({ kind: 'wrong', unreadable: [] }))
}

/** Compares the key with the stored fingerprint and with the encrypted data; changes nothing. */
export async function readSecretKeyState(columns: readonly EncryptedColumn[]): Promise<SecretKeyState> {
  const cipher = currentCipher()
  const stored = await inSystem(findFingerprint)
  const { total, readable, unreadable } = await countValues(columns, cipher)
  if (stored?.nextFingerprint) return { kind: 'rotating', unreadable }
  if (!stored && total === 0) return { kind: 'unused' }
  if (!cipher) return { kind: 'missing', unreadable }
  const isRight = stored ? stored.fingerprint.equals(cipher.fingerprint()) : readable > 0
  return { kind: isRight ? 'right' : 'wrong', unreadable }
}

/** The message for a state that the start refuses. */
export function describeSecretKey({ kind, unreadable }: Exclude<SecretKeyState, { kind: 'unused' | 'right' }>): string {
  const reason = {
    missing: `SECRET_KEY: немає ні змінної, ні файла ${keyFile()} · neither the variable nor the file exists`,
    wrong: `SECRET_KEY: це інший ключ, ніж той, яким зашифровано дані · not the key with which the data is encrypted`,
    rotating: 'SECRET_KEY: заміну ключа не завершено · the key is being replaced: npm run rotate-key',
  }[kind]
  const lost = unreadable.length > 0 ? [`не прочитати · unreadable: ${unreadable.join('; ')}`] : []
  const advice =
    kind === 'rotating'
      ? []
      : [
          'Поверніть ключ; якщо його втрачено назавжди: npm run rotate-key -- --lost · Restore the key; when it is lost permanently: npm run rotate-key -- --lost',
        ]
  return [reason, ...lost, ...advice].join('\n  ')
}

/** The stored fingerprints, or undefined before the first start. */
export async function findFingerprint(tx: Tx) {
  const [row] = await tx.select().from(secretKey).where(eq(secretKey.id, 1))
  return row
}

/** The encrypted values of a column in the transaction's tenant, locked. */
export async function readValues(tx: Tx, { table, column }: EncryptedColumn): Promise<EncryptedValue[]> {
  const name = sql.identifier(column)
  const { rows } = await tx.execute<EncryptedValue>(
    sql`select ctid::text as place, ${name} as value from ${sql.identifier(table)} where ${name} is not null`,
  )
  return rows
}

/** Runs a function once for the rows without a tenant, or once for each tenant. */
export async function eachScope(column: EncryptedColumn, run: (tx: Tx) => Promise<void>): Promise<void> {
  if (!column.isIsolated) return inSystem(run)
  const { rows } = await pool.query<{ id: string }>('select id from tenant order by id')
  for (const { id } of rows) await inTenant({ tenantId: id }, run)
}

function currentCipher(): Cipher | null {
  const masterKey = readMasterKey()
  return masterKey && cipherOf(masterKey)
}

async function countValues(columns: readonly EncryptedColumn[], cipher: Cipher | null) {
  const counts = { total: 0, readable: 0, unreadable: [] as string[] }
  for (const column of columns) {
    let [total, readable] = [0, 0]
    await eachScope(column, async (tx) => {
      const values = await readValues(tx, column)
      total += values.length
      readable += values.filter(({ value }) => cipher && cipher.decrypt(column.purpose, value) !== null).length
    })
    counts.total += total
    counts.readable += readable
    if (readable < total) counts.unreadable.push(`${column.name}: ${total - readable}`)
  }
  return counts
}
