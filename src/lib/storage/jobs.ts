import { config } from '#lib/core/config/config.ts'
import type { JobList } from '#lib/core/jobs/jobs.ts'
import { findConverter } from '#lib/core/media/office-converter.ts'
import { writeCaptionObject } from './caption/caption.ts'
import { TRANSCRIBE_HOURS } from './caption/generation.ts'
import { suggestTexts } from './caption/suggest.ts'
import { transcribeVideo } from './caption/transcribe.ts'
import { convertPresentation } from './presentation/presentation.ts'
import { discardObjects, sweepFileTrash } from './trash.ts'
import { abandonUploads, discardUpload, removeOrphanedParts } from './upload/abort.ts'
import { EXAMINE_HOURS, examineFile } from './upload/examine.ts'
import { ABANDON_JOB } from './upload/upload.ts'
import { canEncode, encodeVideo } from './video/encode.ts'
import { ENCODE_HOURS, ENCODE_JOB } from './video/video.ts'

// A temporary overload of the AI service may last some minutes.
const AI_RETRY = { maxAttempts: 5, retryDelaySeconds: 30 }

export const storageJobs: JobList = {
  [ENCODE_JOB]: {
    run: encodeVideo,
    concurrency: config.encodeAtOnce,
    isReady: canEncode,
    stopsAtShutdown: true,
    // A stopped process counts as an attempt of the job; the three attempts of the encoder are counted in the video's
    // row.
    maxAttempts: 50,
    retryDelaySeconds: 2,
    timeoutHours: ENCODE_HOURS,
    retentionDays: 365,
  },
  'storage.examine': {
    run: examineFile,
    concurrency: 2,
    stopsAtShutdown: true,
    maxAttempts: 20,
    timeoutHours: EXAMINE_HOURS,
  },
  [ABANDON_JOB]: (job: { tenantId: string }) => abandonUploads(job),
  'storage.convertPresentation': {
    run: convertPresentation,
    concurrency: 1,
    stopsAtShutdown: true,
    isReady: async () => (await findConverter()) !== null,
  },
  'storage.discardUpload': discardUpload,
  'storage.writeCaption': writeCaptionObject,
  'storage.transcribe': {
    run: transcribeVideo,
    ...AI_RETRY,
    concurrency: 1,
    stopsAtShutdown: true,
    timeoutHours: TRANSCRIBE_HOURS,
  },
  'storage.suggest': { run: suggestTexts, ...AI_RETRY },
  'storage.discard': discardObjects,
  'storage.sweepParts': { run: () => removeOrphanedParts(), cron: '11 3 * * *' },
  'storage.sweepTrash': { run: () => sweepFileTrash(), cron: '23 3 * * *' },
}
