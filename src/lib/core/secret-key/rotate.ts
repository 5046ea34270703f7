import fs from 'node:fs'
import { sql } from 'drizzle-orm'
import { config } from '../config/config.ts'
import { inSystem, type Tx } from '../db/db.ts'
import { type Cipher, cipherOf, createKeyFile, keyFile, readMasterKey } from '../encryption.ts'
import { type EncryptedColumn, eachScope, findFingerprint, readValues, SecretKeyError } from './secret-key.ts'
import { secretKey } from './table.ts'

const WRITE_BATCH = 1000

export interface RotatedKey {
  /** Values that were encrypted again, by name of the column. */
  changed: Record<string, number>
  /** Values that neither key decrypts; they were left as they are. */
  unreadable: number
}

/**
 * Replaces the key of the installation: encrypts everything again with `newKey`, or with a new key file when SECRET_KEY
 * is not set. The installation must be stopped. A repeated call continues an interrupted one: values that the new key
 * decrypts are done, and the fingerprint is replaced last. Throws SecretKeyError when the key is not the stored one, or
 * when another new key was begun.
 */
export async function rotateKey(columns: readonly EncryptedColumn[], newKey: string | undefined): Promise<RotatedKey> {
  const nextFile = `${keyFile()}.next`
  if (config.secretKey && !newKey) throw new SecretKeyError('NEW_SECRET_KEY: SECRET_KEY is set, so the new key is too')
  if (!newKey) createKeyFile(nextFile)
  const [oldMaster, newMaster] = [readMasterKey(), readMasterKey(newKey ?? '', nextFile)]
  if (!oldMaster || !newMaster) throw new SecretKeyError(`${keyFile()} does not exist, and SECRET_KEY is not set`)
  const [before, after] = [cipherOf(oldMaster), cipherOf(newMaster)]
  const isDone = await startRotation(before.fingerprint(), after.fingerprint())
  const result: RotatedKey = { changed: {}, unreadable: 0 }
  if (!isDone) {
    for (const column of columns) await rotateColumn(column, before, after, result)
    await inSystem((tx) => tx.update(secretKey).set({ fingerprint: after.fingerprint(), nextFingerprint: null }))
  }
  if (!newKey) {
    fs.copyFileSync(keyFile(), `${keyFile()}.previous`)
    fs.chmodSync(`${keyFile()}.previous`, 0o600)
    fs.renameSync(nextFile, keyFile())
  }
  return result
}

/**
 * Accepts that what was encrypted with another key is unreadable: stores the fingerprint of the present key, which is
 * created when there is none.
 */
export async function acceptLostKey(): Promise<void> {
  if (!readMasterKey()) createKeyFile()
  const masterKey = readMasterKey()
  if (!masterKey) throw new SecretKeyError('the key could not be created')
  const fingerprint = cipherOf(masterKey).fingerprint()
  await inSystem((tx) =>
    tx
      .insert(secretKey)
      .values({ fingerprint })
      .onConflictDoUpdate({ target: secretKey.id, set: { fingerprint, nextFingerprint: null } }),
  )
}

/** Stores which key will follow. Returns whether everything is encrypted with it already. */
function startRotation(fingerprint: Buffer, nextFingerprint: Buffer): Promise<boolean> {
  return inSystem(async (tx) => {
    const stored = await findFingerprint(tx)
    if (stored && !stored.nextFingerprint && stored.fingerprint.equals(nextFingerprint)) return true
    if (stored && !stored.fingerprint.equals(fingerprint))
      throw new SecretKeyError('SECRET_KEY: not the key with which the data is encrypted')
    if (stored?.nextFingerprint && !stored.nextFingerprint.equals(nextFingerprint))
      throw new SecretKeyError('NEW_SECRET_KEY: another new key was begun; continue with that one')
    await tx
      .insert(secretKey)
      .values({ fingerprint, nextFingerprint })
      .onConflictDoUpdate({ target: secretKey.id, set: { nextFingerprint } })
    return false
  })
}

function rotateColumn(column: EncryptedColumn, before: Cipher, after: Cipher, result: RotatedKey): Promise<void> {
  return eachScope(column, async (tx) => {
    const changes: { place: string; value: string }[] = []
    for (const { place, value } of await readValues(tx, column)) {
      if (after.decrypt(column.purpose, value) !== null) continue
      const text = before.decrypt(column.purpose, value)
      if (text === null) result.unreadable += 1
      else changes.push({ place, value: after.encrypt(column.purpose, text) })
    }
    // The content does not change, so triggers have nothing to record.
    await tx.execute(sql`select set_config('app.restoring', 'on', true)`)
    for (let at = 0; at < changes.length; at += WRITE_BATCH)
      await write(tx, column, changes.slice(at, at + WRITE_BATCH))
    result.changed[column.name] = (result.changed[column.name] ?? 0) + changes.length
  })
}

async function write(
  tx: Tx,
  { table, column }: EncryptedColumn,
  changes: readonly { place: string; value: string }[],
): Promise<void> {
  const places = sql`${sql.param(changes.map(({ place }) => place))}::tid[]`
  const values = sql`${sql.param(changes.map(({ value }) => value))}::text[]`
  const { rowCount } = await tx.execute(sql`
    update ${sql.identifier(table)} t set ${sql.identifier(column)} = changed.value
    from unnest(${places}, ${values}) as changed(place, value) where t.ctid = changed.place`)
  if (rowCount !== changes.length) throw new Error(`${table} has been changed meanwhile: stop the installation first`)
}
