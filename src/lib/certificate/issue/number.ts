import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { formatCertificateNumber, type NumberParts, numberSides } from '../rule/number-rules.ts'
import { certificate, certificateCounter } from '../table.ts'

/**
 * Takes the next number of a format in the transaction that uses it. The counter is locked until the end of the
 * transaction: no number is used twice, and a rolled back transaction leaves no gap.
 */
export async function takeNumber(tx: Tx, tenantId: string, format: string, parts: NumberParts): Promise<string> {
  const sides = numberSides(format, parts)
  const key = `${sides.before}{SEQ}${sides.after}`
  while (true) {
    const [counter] = await tx
      .insert(certificateCounter)
      .values({ tenantId, key, last: 1 })
      .onConflictDoUpdate({
        target: [certificateCounter.tenantId, certificateCounter.key],
        set: { last: sql`${certificateCounter.last} + 1` },
      })
      .returning({ last: certificateCounter.last })
    if (!counter) throw new Error('the counter of certificates returned no number')
    const number = formatCertificateNumber(sides, counter.last)
    // Another format may have produced this number before.
    if ((await tx.$count(certificate, eq(certificate.number, number))) === 0) return number
  }
}
