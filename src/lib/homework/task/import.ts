import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { openPlaces, type Places } from '#lib/core/files/archive/archive-places.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { JobRun } from '#lib/core/jobs/jobs.ts'
import { withScratch } from '#lib/core/media/scratch.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { DocumentSplit } from '#lib/core/shared/learning.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { noteTasks } from '#lib/course/learning/progress.ts'
import { type Incoming, type IncomingTask, Notes } from '#lib/course/transfer/incoming.ts'
import { type NewIds, replaced } from '#lib/course/transfer/incoming-doc.ts'
import { discardFiles, type StoredFiles, storeFiles } from '#lib/course/transfer/incoming-files.ts'
import type { PackageLabels } from '#lib/course/transfer/package/labels.ts'
import { readUploadedPackage } from '#lib/course/transfer/package/task.ts'
import { MOST_NOTES, type TransferReport } from '#lib/course/transfer/schema.ts'
import { findImport, type ImportJob, noteTransfer } from '#lib/course/transfer/transfer.ts'
import { writeCourse } from '#lib/course/transfer/write-course.ts'
import { attachAll } from '#lib/storage/file-use.ts'
import { FILE_BYTES } from '../rules.ts'
import { task } from '../table.ts'
import { filesOfTask } from './bundle.ts'
import { type BundleTask, BundleTasks } from './bundle-schema.ts'

/** Reading takes so much of the whole, in percent; the rest is keeping the files. */
const READ = 10
const KEPT = 95
/** As the table of tasks has it by default. */
const NEW_TASK_FILES = 5

/**
 * Reads a file of the storage into a course: the course's own room writes the course, this one its homework, both or
 * neither. What the school refuses is noted in the import for the person to read. Files that came before a crash are
 * found again by their bytes, so a second run goes on.
 */
export async function importCourse(
  { tenantId, transferId, asker }: ImportJob,
  { isLastAttempt, signal }: Pick<JobRun, 'isLastAttempt'> & Partial<Pick<JobRun, 'signal'>>,
) {
  const found = await findImport(tenantId, transferId)
  if (!found || found.state === 'done' || found.state === 'failed') return
  await noteTransfer(tenantId, transferId, { state: 'running', progress: 1 })
  const actor: Actor = { ...asker, email: '', sessionId: transferId, viewer: transferId }
  try {
    await withScratch((scratch) =>
      read(actor, transferId, { id: found.fileId, name: found.fileName, split: found.split, signal }, scratch),
    )
  } catch (error) {
    if (error instanceof Refusal) {
      const { fields = {}, variables = {} } = error.details
      await noteTransfer(tenantId, transferId, { state: 'failed', failure: { code: error.code, fields, variables } })
      return
    }
    if (isLastAttempt) {
      const failure = { code: 'unprocessable', fields: { file: ['import_crashed'] }, variables: {} }
      await noteTransfer(tenantId, transferId, { state: 'failed', failure })
    }
    throw error
  }
}

interface SourceFile {
  id: string
  name: string
  split: DocumentSplit | null
  signal: AbortSignal | undefined
}

async function read(actor: Actor, transferId: string, { id, name, split, signal }: SourceFile, scratch: string) {
  const lent = await store.lend(`${actor.tenantId}/${id}`, scratch)
  if (!lent) throw new Refusal('not_found')
  try {
    const incoming = await readUploadedPackage(
      { path: lent.path, name, split, scratch, labels: labelsFor(actor.locale) },
      signal,
    )
    const places = openPlaces(lent.path, scratch)
    try {
      const tasks = [...tasksOf(incoming), ...(incoming.tasks ?? []).map(taskOfAssignment)]
      await take(actor, transferId, { incoming, tasks, scratch, places })
    } finally {
      places.close()
    }
  } finally {
    await lent.done()
  }
}

function labelsFor(locale: Locale): PackageLabels {
  const t = getTranslator(locale)
  return { notPlaced: t('transfer:notPlaced'), files: t('transfer:notPlacedFiles') }
}

function tasksOf({ more }: Incoming): BundleTask[] {
  if (more === null) return []
  const found = BundleTasks.safeParse(more)
  if (found.success) return found.data.tasks
  const variables = { path: found.error.issues[0]?.path.join('.') ?? 'tasks' }
  throw new Refusal('unprocessable', { fields: { file: ['bundle_damaged'] }, variables })
}

/** An assignment of another system as a task; what that system does not say is as in a new task. */
function taskOfAssignment({ id, lessonId, title, instructions, ...assignment }: IncomingTask): BundleTask {
  const { fileIds, extensions, maxPoints, required } = assignment
  return {
    id,
    lessonId,
    title,
    instructions,
    fileIds,
    acceptTypes: extensions,
    type: 'file',
    maxFiles: NEW_TASK_FILES,
    maxBytes: FILE_BYTES,
    dueRule: null,
    latePolicy: 'acceptMarked',
    grading: maxPoints === null ? 'acceptReject' : 'points',
    maxPoints,
    passPoints: null,
    maxAttempts: null,
    rubric: [],
    sampleAnswer: null,
    showSample: 'never',
    slaHours: null,
    required,
  }
}

async function take(
  actor: Actor,
  transferId: string,
  { incoming, tasks, scratch, places }: { incoming: Incoming; tasks: BundleTask[]; scratch: string; places: Places },
): Promise<void> {
  const notes = new Notes(incoming.notes)
  const tell = progressTeller(actor.tenantId, transferId)
  const stored = await storeFiles(actor, incoming, notes, {
    places,
    scratch,
    done: (share) => tell(READ + share * (KEPT - READ)),
  })
  const ids: NewIds = {
    files: stored.files,
    tasks: new Map(tasks.map(({ id }) => [id, newId()])),
    lessons: new Map(incoming.modules.flatMap(({ lessons }) => lessons.map(({ id }) => [id, newId()]))),
    showFiles: incoming.format !== 'bundle',
  }
  try {
    await inTenant(actor, async (tx) => {
      const { courseId, lessons } = await writeCourse(actor, incoming, ids, notes)
      const written = await writeTasks(tx, actor, { courseId, lessons, ids, tasks })
      const report = reportOf(incoming, stored, written, notes)
      await noteTransfer(actor.tenantId, transferId, { state: 'done', progress: 100, courseId, report })
    })
  } catch (error) {
    await discardFiles(actor, stored.fresh)
    throw error
  }
}

/** Tells of whole percents only: a course may have thousands of small files. */
function progressTeller(tenantId: string, transferId: string) {
  let told = 0
  return async (percent: number) => {
    if (Math.floor(percent) <= told) return
    told = Math.floor(percent)
    await noteTransfer(tenantId, transferId, { progress: told })
  }
}

interface WrittenTasks {
  courseId: string
  lessons: ReadonlyMap<string, string>
  ids: NewIds
  tasks: readonly BundleTask[]
}

async function writeTasks(tx: Tx, actor: Actor, { courseId, lessons, ids, tasks }: WrittenTasks): Promise<number> {
  const places = new Map<string, number>()
  const rows = tasks.flatMap(({ id, lessonId: from, ...text }) => {
    const lessonId = lessons.get(from)
    if (!lessonId) return []
    const position = places.get(lessonId) ?? 0
    places.set(lessonId, position + 1)
    return [
      {
        ...text,
        tenantId: actor.tenantId,
        id: ids.tasks.get(id) ?? newId(),
        courseId,
        lessonId,
        position,
        instructions: replaced(text.instructions, ids),
        sampleAnswer: text.sampleAnswer && replaced(text.sampleAnswer, ids),
        fileIds: text.fileIds.flatMap((one) => ids.files.get(one)?.fileId ?? []),
      },
    ]
  })
  if (rows.length === 0) return 0
  await tx.insert(task).values(rows)
  for (const [lessonId, own] of Map.groupBy(rows, (row) => row.lessonId)) {
    await noteTasks(tx, lessonId, own.filter(({ required, title }) => required && title !== '').length)
  }
  await attachAll(
    actor,
    'task',
    rows.map((row) => ({ id: row.id, title: row.title, fileIds: filesOfTask(row) })),
  )
  return rows.length
}

function reportOf(incoming: Incoming, { files, fresh }: StoredFiles, tasks: number, notes: Notes): TransferReport {
  return {
    format: incoming.format,
    modules: incoming.modules.length,
    lessons: incoming.modules.reduce((sum, { lessons }) => sum + lessons.length, 0),
    tasks,
    files: files.size,
    reused: files.size - fresh.length,
    ...(incoming.imported ? { imported: incoming.imported } : {}),
    ...(incoming.source ? { source: incoming.source } : {}),
    notes: notes.list.slice(0, MOST_NOTES),
    moreNotes: Math.max(0, notes.list.length - MOST_NOTES),
  }
}
