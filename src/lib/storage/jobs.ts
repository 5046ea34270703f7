import type { JobList } from '#lib/core/jobs/jobs.ts'
import { examineFile } from './examine.ts'
import { abandonUpload, discardUpload } from './upload-end.ts'

export const storageJobs: JobList = {
  'storage.examine': examineFile,
  'storage.abandon': abandonUpload,
  'storage.discardUpload': discardUpload,
}
