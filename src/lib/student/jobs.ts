import type { JobList } from '#lib/core/jobs/jobs.ts'
import { anonymizeDeletedStudents } from './bulk/anonymize.ts'
import type { ChangeCourseAccess } from './bulk/batch.ts'
import { runBulkJob } from './bulk/run.ts'
import type { CardSection } from './card/section.ts'
import { runImport } from './import/run.ts'
import { refreshStaleProgress } from './list/refresh-progress.ts'
import { deleteDueAccounts } from './personal-data/deletion.ts'
import { removeExpiredExports, runDataExport } from './personal-data/export.ts'
import { endExpiredViews } from './viewing/viewing.ts'

/**
 * The jobs of the module; `changeAccess` is that of the course module, and `sections` are those of the modules above.
 */
export const studentJobs = (changeAccess: ChangeCourseAccess, sections: readonly CardSection[]): JobList => ({
  'student.runBulk': {
    run: (data: { tenantId: string; jobId: string }, run) => runBulkJob(data, changeAccess, run),
    stopsAtShutdown: true,
    timeoutHours: 4,
  },
  'student.import': {
    run: (data: { tenantId: string; importId: string }, run) => runImport(data, changeAccess, run),
    stopsAtShutdown: true,
    timeoutHours: 4,
  },
  'student.exportData': { run: runDataExport, timeoutHours: 1 },
  'student.removeExports': { run: () => removeExpiredExports(), cron: '11 * * * *' },
  'student.deleteAccounts': { run: () => deleteDueAccounts(sections), cron: '37 * * * *' },
  'student.anonymize': { run: () => anonymizeDeletedStudents(sections), cron: '23 2 * * *' },
  'student.endExpiredViews': { run: () => endExpiredViews(), cron: '*/5 * * * *' },
  'student.refreshProgress': { run: () => refreshStaleProgress(), cron: '* * * * *' },
})
