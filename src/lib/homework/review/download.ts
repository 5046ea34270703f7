import { makeZip, predictLength } from 'client-zip'
import { store } from '#lib/core/files/files.ts'
import { signUrlToken, verifyUrlToken } from '#lib/core/files/url-token.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { collectEntries, type DownloadEntry, safeName } from './download-entries.ts'
import type { SubmissionIds } from './schema.ts'
import { requireQueueAccess } from './scope.ts'

const LIFETIME_SECONDS = HOUR_SECONDS

export interface SubmissionsZipLink {
  /** Valid for the actor's login session, for an hour, on the same host. */
  address: string
  /** Submissions and attempts. */
  submissions: number
  files: number
  /** Bytes of the whole ZIP. */
  size: number
}

/**
 * Signs the URL of a ZIP with several submissions and attempts at tests: a folder for each lesson or test and student,
 * files under their own names, texts as additional files. Refuses with forbidden, and not_found when the actor may see
 * none of them.
 */
export async function prepareDownload(actor: Actor, input: SubmissionIds): Promise<SubmissionsZipLink> {
  requireQueueAccess(actor)
  const { submissionIds } = input
  const { entries, count } = await collectEntries(actor, submissionIds)
  const selection = packIds(submissionIds)
  const issuedAt = Math.floor(Date.now() / 1000)
  const times = { issuedAt, expiresAt: issuedAt + LIFETIME_SECONDS }
  const token = signUrlToken(subjectOf(actor, selection), actor.viewer, times)
  const files = entries.filter(({ fileId }) => fileId !== null).length
  return { address: `/v1/homework/${token}/${selection}`, submissions: count, files, size: zipLength(entries) }
}

export interface SubmissionsZip {
  name: string
  /** Bytes. */
  size: number
  body: ReadableStream<Uint8Array>
}

/**
 * The ZIP of a signed URL, created while it is read, without a temporary file. Refuses with forbidden, and not_found
 * for a URL of another login session, an expired one, or one without existing submissions.
 */
export async function openDownload(
  actor: Actor,
  signed: { token: string; selection: string },
): Promise<SubmissionsZip> {
  requireQueueAccess(actor)
  const times = verifyUrlToken(signed.token, subjectOf(actor, signed.selection), actor.viewer)
  if (!times || times.expiresAt < Date.now() / 1000) throw new Refusal('not_found')
  const { entries, title } = await collectEntries(actor, unpackIds(signed.selection))
  return { name: `${safeName(title)}.zip`, size: zipLength(entries), body: makeZip(readEntries(actor, entries)) }
}

async function* readEntries(actor: Actor, entries: readonly DownloadEntry[]) {
  for (const { name, size, lastModified, fileId, text } of entries) {
    const input = fileId ? await store.read(`${actor.tenantId}/${fileId}`) : text
    // The length is already in the response headers, so that clients detect an incomplete ZIP only if the stream fails.
    if (!input) throw new Error('a file of a submission is missing in the object store')
    yield { name, lastModified, size, input }
  }
}

const zipLength = (entries: readonly DownloadEntry[]): number =>
  Number(predictLength(entries.map(({ name, size }) => ({ name, size }))))

const subjectOf = ({ tenantId }: Actor, selection: string) => `submissions/${tenantId}/${selection}`

function packIds(ids: readonly string[]): string {
  return Buffer.from(ids.map((id) => id.replaceAll('-', '')).join(''), 'hex').toString('base64url')
}

function unpackIds(packed: string): string[] {
  const hex = Buffer.from(packed, 'base64url').toString('hex')
  return (hex.match(/.{32}/g) ?? []).map((id) => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'))
}
