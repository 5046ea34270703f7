import type { JobList } from '#lib/core/jobs/jobs.ts'
import { checkCourse, checkStudents } from './issue/check.ts'
import { issueDue, runIssueToAll } from './issue/issue.ts'
import { expireCertificates } from './issue/lifecycle.ts'
import { renderCertificate } from './issue/render.ts'

interface RenderJob {
  tenantId: string
  certificateId: string
}

export const certificateJobs: JobList = {
  'certificate.checkStudents': { run: () => checkStudents(), cron: '* * * * *', maxAttempts: 1 },
  'certificate.checkCourse': { run: checkCourse, stopsAtShutdown: true },
  'certificate.issueDue': { run: issueDue, concurrency: 1, stopsAtShutdown: true, timeoutHours: 2 },
  'certificate.issueToAll': { run: runIssueToAll, concurrency: 1, stopsAtShutdown: true, timeoutHours: 1 },
  'certificate.render': ({ tenantId, certificateId }: RenderJob) => renderCertificate(tenantId, certificateId),
  'certificate.expire': { run: () => expireCertificates(), cron: '7 * * * *' },
}
