import { config } from '#lib/core/config/config.ts'
import type { JobList } from '#lib/core/jobs/jobs.ts'
import { placeCaption } from './caption/caption.ts'
import { TRANSCRIBE_HOURS } from './caption/generation.ts'
import { suggestTexts } from './caption/suggest.ts'
import { transcribeFilm } from './caption/transcribe.ts'
import { discardObjects, sweepTrash } from './trash.ts'
import { abandonUpload, discardUpload, sweepParts } from './upload/abort.ts'
import { EXAMINE_HOURS, examineFile } from './upload/examine.ts'
import { canEncode, encodeVideo } from './video/encode.ts'
import { ENCODE, ENCODE_HOURS } from './video/video.ts'

// A language service that is overloaded now may not be so in some minutes.
const LATER = { tries: 5, retryDelaySeconds: 30 }

export const storageJobs: JobList = {
  [ENCODE]: {
    run: encodeVideo,
    concurrency: config.encodeAtOnce,
    isReady: canEncode,
    stopsAtShutdown: true,
    // Stops of the process are tries too; the three attempts are counted by the room itself.
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
  'storage.abandon': abandonUpload,
  'storage.discardUpload': discardUpload,
  'storage.placeCaption': placeCaption,
  'storage.transcribe': {
    run: transcribeFilm,
    ...LATER,
    concurrency: 1,
    stopsAtShutdown: true,
    timeoutHours: TRANSCRIBE_HOURS,
  },
  'storage.suggest': { run: suggestTexts, ...LATER },
  'storage.discard': discardObjects,
  'storage.sweepParts': { run: () => sweepParts(), cron: '11 3 * * *' },
  'storage.sweepTrash': { run: () => sweepTrash(), cron: '23 3 * * *' },
}
