import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { JobRun } from '#lib/core/jobs/jobs.ts'
import { type CertificateCandidate, loadCandidates } from '../rule/qualify.ts'
import { type CertificateRule, loadRule } from '../rule/rule.ts'

/** Number of students per transaction. */
const PAGE_SIZE = 200

interface CandidatePages {
  tenantId: string
  courseId: string
  /** Whether the rule still allows the job; by default any rule does. */
  allows?(rule: CertificateRule): boolean
  /** Runs in the transaction in which the page was read. */
  handlePage(tx: Tx, rule: CertificateRule, candidates: readonly CertificateCandidate[]): Promise<unknown>
}

/**
 * Handles all students of a course page by page, one transaction per page. The rule is read again for each page; the run
 * ends when it no longer exists or no longer allows the job. Throws when the job is aborted.
 */
export async function forEachCandidatePage(
  { tenantId, courseId, allows = () => true, handlePage }: CandidatePages,
  run: Pick<JobRun, 'signal'>,
): Promise<void> {
  let after: { name: string; id: string } | null = null
  do {
    run.signal.throwIfAborted()
    after = await inTenant({ tenantId }, async (tx) => {
      const rule = await loadRule(tx, courseId)
      if (!rule || !allows(rule)) return null
      const page = await loadCandidates(tx, rule, { after, limit: PAGE_SIZE })
      await handlePage(tx, rule, page)
      const last = page.length === PAGE_SIZE ? page.at(-1) : undefined
      return last ? { name: last.name, id: last.studentId } : null
    })
  } while (after)
}
