import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { type ArchiveFiles, openArchiveFiles } from '#lib/core/files/archive/archive-files.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { JobRun } from '#lib/core/jobs/jobs.ts'
import { withTemporaryFolder } from '#lib/core/media/temporary-folder.ts'
import { type Actor, restoreActor } from '#lib/core/shared/actor.ts'
import type { DocumentSplit } from '#lib/core/shared/learning.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { requireCoursesFit } from '#lib/course/insert-course.ts'
import { setTaskCount } from '#lib/course/learning/progress.ts'
import { type ImportedCourse, type ImportedTask, ImportNotes } from '#lib/course/transfer/imported-course.ts'
import type { PackageLabels } from '#lib/course/transfer/package/labels.ts'
import { type NewIds, replaceIds } from '#lib/course/transfer/replace-ids.ts'
import { MAX_NOTES, type TransferReport } from '#lib/course/transfer/schema.ts'
import { discardFiles, type StoredFiles, storeFiles } from '#lib/course/transfer/store-files.ts'
import { findImport, type ImportJob, updateTransfer } from '#lib/course/transfer/transfer.ts'
import { writeCourse } from '#lib/course/transfer/write-course.ts'
import { notify } from '#lib/notification/notify.ts'
import type { CourseWithTests } from '#lib/quiz/transfer/course/course-reader.ts'
import { testsOfBundle } from '#lib/quiz/transfer/course/read-bundle-tests.ts'
import { readUploadedCourse } from '#lib/quiz/transfer/course/worker-task.ts'
import { writeTests } from '#lib/quiz/transfer/course/write-tests.ts'
import { attachFilesOfMany } from '#lib/storage/file-use.ts'
import { DEFAULT_FILE_BYTES } from '../rules.ts'
import { task } from '../table.ts'
import { filesOfTask } from './bundle.ts'
import { type BundleTask, BundleTasks } from './bundle-schema.ts'

/** Shares of the progress in percent: reading ends at READ_PERCENT, storing files at STORED_PERCENT. */
const READ_PERCENT = 10
const STORED_PERCENT = 95
/** The default of the task table. */
const DEFAULT_MAX_FILES = 5

/**
 * Imports a stored file into a course: the course module writes the course, the quiz module its tests, this module its
 * tasks, all in one transaction. A refusal is recorded in the import. Files stored before a crash are found by their digest, so a
 * repeated run continues.
 */
export async function importCourse(
  { tenantId, transferId, requestingActor }: ImportJob,
  { isLastAttempt, signal }: Pick<JobRun, 'isLastAttempt'> & Partial<Pick<JobRun, 'signal'>>,
) {
  const importRow = await findImport(tenantId, transferId)
  if (!importRow || importRow.state === 'done' || importRow.state === 'failed') return
  await updateTransfer(tenantId, transferId, { state: 'running', progress: 1 })
  const actor = restoreActor(requestingActor, transferId)
  try {
    await withTemporaryFolder((scratch) =>
      readAndImport(
        actor,
        transferId,
        { id: importRow.fileId, name: importRow.fileName, split: importRow.split, signal },
        scratch,
      ),
    )
  } catch (error) {
    if (error instanceof Refusal) {
      const { fields = {}, variables = {} } = error.details
      await updateTransfer(tenantId, transferId, { state: 'failed', failure: { code: error.code, fields, variables } })
      return
    }
    if (isLastAttempt) {
      const failure = { code: 'unprocessable', fields: { file: ['import_crashed'] }, variables: {} }
      await updateTransfer(tenantId, transferId, { state: 'failed', failure })
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

async function readAndImport(
  actor: Actor,
  transferId: string,
  { id, name, split, signal }: SourceFile,
  scratch: string,
) {
  const localCopy = await store.openLocalCopy(`${actor.tenantId}/${id}`, scratch)
  if (!localCopy) throw new Refusal('not_found')
  try {
    const read = await readUploadedCourse(
      { path: localCopy.path, name, split, scratch, labels: labelsFor(actor.locale) },
      signal,
    )
    const incoming = read.bundleJson === null ? read : { ...read, tests: testsOfBundle(read.bundleJson) }
    const archive = openArchiveFiles(localCopy.path, scratch)
    try {
      const tasks = [...tasksOf(incoming), ...(incoming.tasks ?? []).map(taskOfAssignment)]
      await importPackage(actor, transferId, { incoming, tasks, scratch, places: archive })
    } finally {
      archive.close()
    }
  } finally {
    await localCopy.done()
  }
}

function labelsFor(locale: Locale): PackageLabels {
  const t = getTranslator(locale)
  return { notPlaced: t('transfer:notPlaced'), files: t('transfer:notPlacedFiles') }
}

function tasksOf({ bundleJson: more }: ImportedCourse): BundleTask[] {
  if (more === null) return []
  const parsed = BundleTasks.safeParse(more)
  if (parsed.success) return parsed.data.tasks
  const variables = { path: parsed.error.issues[0]?.path.join('.') ?? 'tasks' }
  throw new Refusal('unprocessable', { fields: { file: ['bundle_damaged'] }, variables })
}

/** Converts an assignment of another system; missing settings get the defaults of a new task. */
function taskOfAssignment({ id, lessonId, title, instructions, ...assignment }: ImportedTask): BundleTask {
  const { fileIds, extensions, maxPoints, required } = assignment
  return {
    id,
    lessonId,
    title,
    instructions,
    fileIds,
    acceptTypes: extensions,
    type: 'file',
    maxFiles: DEFAULT_MAX_FILES,
    maxBytes: DEFAULT_FILE_BYTES,
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

async function importPackage(
  actor: Actor,
  transferId: string,
  {
    incoming,
    tasks,
    scratch,
    places,
  }: { incoming: CourseWithTests; tasks: BundleTask[]; scratch: string; places: ArchiveFiles },
): Promise<void> {
  const notes = new ImportNotes(incoming.notes)
  const reportProgress = createProgressReporter(actor.tenantId, transferId)
  const stored = await storeFiles(actor, incoming, notes, {
    places,
    scratch,
    onProgress: (share) => reportProgress(READ_PERCENT + share * (STORED_PERCENT - READ_PERCENT)),
  })
  const ids: NewIds = {
    files: stored.files,
    tasks: new Map(tasks.map(({ id }) => [id, newId()])),
    tests: new Map(incoming.tests.quizzes.map(({ id }) => [id, newId()])),
    lessons: new Map(incoming.modules.flatMap(({ lessons }) => lessons.map(({ id }) => [id, newId()]))),
    showFiles: incoming.format !== 'bundle',
  }
  try {
    await inTenant(actor, async (tx) => {
      const { courseId, lessons } = await writeCourse(actor, incoming, ids, notes)
      await writeTests(tx, actor, { courseId, tests: incoming.tests, ids })
      const taskCount = await writeTasks(tx, actor, { courseId, lessons, ids, tasks })
      await requireCoursesFit(tx, actor)
      const report = buildReport(incoming, stored, taskCount, notes)
      await updateTransfer(actor.tenantId, transferId, { state: 'done', progress: 100, courseId, report })
      await notify(tx, {
        kind: 'course_imported',
        memberIds: [actor.membershipId],
        key: `course-import/${transferId}`,
        data: { subject: incoming.course.title },
        link: `/course/edit/${courseId}`,
      })
    })
  } catch (error) {
    await discardFiles(actor, stored.newFileIds)
    throw error
  }
}

/** Reports whole percents only: a course may have thousands of small files. */
function createProgressReporter(tenantId: string, transferId: string) {
  let reported = 0
  return async (percent: number) => {
    if (Math.floor(percent) <= reported) return
    reported = Math.floor(percent)
    await updateTransfer(tenantId, transferId, { progress: reported })
  }
}

interface TasksToWrite {
  courseId: string
  lessons: ReadonlyMap<string, string>
  ids: NewIds
  tasks: readonly BundleTask[]
}

async function writeTasks(tx: Tx, actor: Actor, { courseId, lessons, ids, tasks }: TasksToWrite): Promise<number> {
  const positions = new Map<string, number>()
  const rows = tasks.flatMap(({ id, lessonId: from, ...text }) => {
    const lessonId = lessons.get(from)
    if (!lessonId) return []
    const position = positions.get(lessonId) ?? 0
    positions.set(lessonId, position + 1)
    return [
      {
        ...text,
        tenantId: actor.tenantId,
        id: ids.tasks.get(id) ?? newId(),
        courseId,
        lessonId,
        position,
        instructions: replaceIds(text.instructions, ids),
        sampleAnswer: text.sampleAnswer && replaceIds(text.sampleAnswer, ids),
        fileIds: text.fileIds.flatMap((fileId) => ids.files.get(fileId)?.fileId ?? []),
      },
    ]
  })
  if (rows.length === 0) return 0
  await tx.insert(task).values(rows)
  for (const [lessonId, lessonTasks] of Map.groupBy(rows, (row) => row.lessonId)) {
    await setTaskCount(tx, lessonId, lessonTasks.filter(({ required, title }) => required && title !== '').length)
  }
  await attachFilesOfMany(
    actor,
    'task',
    rows.map((row) => ({ id: row.id, title: row.title, fileIds: filesOfTask(row) })),
  )
  return rows.length
}

function buildReport(
  incoming: CourseWithTests,
  { files, newFileIds: fresh }: StoredFiles,
  tasks: number,
  notes: ImportNotes,
): TransferReport {
  return {
    format: incoming.format,
    modules: incoming.modules.length,
    lessons: incoming.modules.reduce((sum, { lessons }) => sum + lessons.length, 0),
    tasks,
    ...(incoming.tests.verdicts.length > 0 ? { tests: incoming.tests.verdicts } : {}),
    files: files.size,
    reused: files.size - fresh.length,
    ...(incoming.imported ? { imported: incoming.imported } : {}),
    ...(incoming.source ? { source: incoming.source } : {}),
    notes: notes.list.slice(0, MAX_NOTES),
    moreNotes: Math.max(0, notes.list.length - MAX_NOTES),
  }
}
