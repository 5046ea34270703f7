import { config } from '../../config/config.ts'
import { Refusal } from '../../http/refusal.ts'
import { workerTask } from '../../worker/pool.ts'
import { isSenderInResults } from './results-rules.ts'
import type { MailClient, verifySender } from './verify-worker.ts'

const verifyInWorker = workerTask<typeof verifySender>({
  file: 'src/lib/core/mail/inbound/verify-worker.ts',
  name: 'verifySender',
  lane: 'request',
  limitMs: 15_000,
  field: 'reply',
})

interface ReceivedEmail {
  raw: Uint8Array
  /** The address in From. */
  from: string
  /** Values of Authentication-Results, in the order of the email. */
  results: readonly string[]
  /** The client of the own SMTP server; null when the mail server of the installation has posted the email. */
  client: MailClient | null
}

/**
 * Whether the domain of the sender is authenticated: by the receiving mail server (MAIL_AUTHSERV_ID), by a signature (DKIM), or
 * by SPF where the own SMTP server has received the email. Without an answer of the DNS servers in time it is not.
 */
export async function isSenderVerified({ raw, from, results, client }: ReceivedEmail): Promise<boolean> {
  // Fields in an email that a client delivered itself are its own.
  if (client === null && isSenderInResults(results, from, config.mailAuthservIds)) return true
  try {
    const { dnsServers, baseDomain: host } = config
    return await verifyInWorker({ raw, from, client, dnsServers, host })
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unprocessable') return false
    throw error
  }
}
