import { buffer } from 'node:stream/consumers'
import { getTableColumns, type Table } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Actor } from '#lib/core/shared/actor.ts'
import { LessonDoc, walkNodes } from '#lib/core/shared/lesson-doc.ts'
import { getCourse } from '#lib/course/course.ts'
import { CourseSettings } from '#lib/course/settings-schema.ts'
import { course, courseModule, lesson } from '#lib/course/table.ts'
import { BundleLesson, BundleModule } from '#lib/course/transfer/bundle-schema.ts'
import { task } from '#lib/homework/table.ts'
import { openBundle } from '#lib/homework/task/bundle.ts'
import { BundleTask } from '#lib/homework/task/bundle-schema.ts'
import { getQuota } from '#lib/storage/upload/quota.ts'
import { zipOf } from '../../../setup/course/packages.ts'
import { imported } from '../../../setup/course/transfers.ts'
import { everyBlock, write } from '../../../setup/course/whole-course.ts'
import { listFiles } from '../../../setup/parsed/storage.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'
import { unzipFiles } from '../../../setup/unzip.ts'

let ours: TestTenant
let courseId: string
let first: Buffer<ArrayBuffer>
beforeAll(async () => {
  ours = await createTestTenant()
  courseId = (await write(ours.as.EXPERT)).courseId
  first = await exported(ours.as.EXPERT, courseId)
})

async function exported(actor: Actor, id: string) {
  const bundle = await openBundle(actor, { courseId: id })
  const bytes = Buffer.from(await buffer(bundle.body))
  expect(bytes.length).toBe(bundle.size)
  return bytes
}

const jsonOf = (zip: Buffer) => JSON.parse(unzipFiles(zip)['course.json']?.toString() ?? '')

/** The content of a bundle, without values that differ between schools: ids, numbers of files, times. */
function contentOf(zip: Buffer) {
  const members = unzipFiles(zip)
  const { exportedAt: _, files, ...rest } = jsonOf(zip)
  const fileRows = files.map(({ id, path, ...file }: { id: string; path: string }) => ({
    id,
    ...file,
    name: path.replace(/^files\/\d+-/, ''),
    bytes: members[path]?.toString('base64'),
  }))
  fileRows.sort((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1))
  const ids = new Map<string, string>()
  const named = JSON.stringify({ ...rest, files: fileRows }).replace(
    /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
    (id) => ids.get(id) ?? ids.set(id, `id-${ids.size}`).get(id) ?? '',
  )
  return JSON.parse(named)
}

describe('a course bundle', () => {
  test('is imported into another school unchanged, with every block, rule, setting, task and file', async () => {
    const them = await createOtherTenant()
    const made = await imported(them.as.EXPERT, 'курс.zip', first)
    expect(made).toMatchObject({ state: 'done', failure: null, courseTitle: 'Усе про ефір' })
    expect(made.report).toEqual({
      format: 'bundle',
      modules: 3,
      lessons: 9,
      tasks: 2,
      files: 6,
      reused: 0,
      notes: [],
      moreNotes: 0,
    })
    const second = await exported(them.as.DIRECTOR, made.courseId ?? '')
    expect(contentOf(second)).toEqual(contentOf(first))
    const { status, lessonCount } = await getCourse(them.as.OWNER, { courseId: made.courseId ?? '' })
    expect([status, lessonCount]).toEqual(['draft', 9])
  })

  test('is imported into its own school without duplicating its files', async () => {
    // The hash of an uploaded file is known after the examination; that of an imported file immediately.
    await imported(ours.as.EXPERT, 'once.zip', first)
    const before = await getQuota(ours.as.OWNER)
    const made = await imported(ours.as.EXPERT, 'again.zip', first)
    expect(made.report).toMatchObject({ files: 6, reused: 6 })
    expect((await getQuota(ours.as.OWNER)).used - before.used).toBe(first.length)
    expect(contentOf(await exported(ours.as.EXPERT, made.courseId ?? ''))).toEqual(contentOf(first))
  })

  test('contains every block type of a lesson except an unfinished upload', () => {
    const known = new Set(typesOf(z.toJSONSchema(LessonDoc, { io: 'output', unrepresentable: 'any' })))
    const id = '01a1fbc8-ab31-71dc-9f85-29f843092a13'
    const fileIds = { picture: id, second: id, video: id, sound: id, paper: id, sheet: id }
    const used = new Set([
      'doc',
      ...[...walkNodes(everyBlock(fileIds, id))].flatMap((node) => [
        node.type,
        ...(node.marks ?? []).map((mark) => mark.type),
      ]),
    ])
    expect([...known].filter((type) => !used.has(type))).toEqual(['upload'])
  })

  test.each<[string, Table, readonly string[], readonly string[]]>([
    [
      'course',
      course,
      keysOf(CourseSettings),
      [
        'slug',
        'status',
        'lessonCount',
        'publishedLessonCount',
        'studentCount',
        'version',
        'createdAt',
        'updatedAt',
        'publishedAt',
        'archivedAt',
      ],
    ],
    ['module', courseModule, keysOf(BundleModule), ['courseId', 'position', 'deletedAt', 'deletedBy']],
    [
      'lesson',
      lesson,
      keysOf(BundleLesson),
      [
        'courseId',
        'moduleId',
        'position',
        'version',
        'publishedTitle',
        'publishedBlocks',
        'publishedVersion',
        'publishedAt',
        'words',
        'nodes',
        'characters',
        'taskCount',
        'testIds',
        'updatedBy',
        'createdAt',
        'updatedAt',
        'deletedAt',
        'deletedBy',
      ],
    ],
    ['task', task, keysOf(BundleTask), ['courseId', 'position', 'version', 'createdAt', 'updatedAt', 'deletedAt']],
  ])('exports every column of a %s, or lists it as omitted', (_, table, carried, left) => {
    const columns = Object.keys(getTableColumns(table)).filter((name) => name !== 'tenantId' && name !== 'id')
    expect(columns.filter((name) => !carried.includes(name)).sort()).toEqual([...left].sort())
  })

  test('can be exported by authors of its school, with an expired plan too', async () => {
    const them = await createOtherTenant()
    await expect(openBundle(them.as.OWNER, { courseId })).rejects.toMatchObject({ code: 'not_found' })
    for (const role of ['CURATOR', 'STUDENT', 'MEMBER'] as const) {
      await expect(openBundle(ours.as[role], { courseId })).rejects.toMatchObject({ code: 'forbidden' })
    }
    const lapsed = { ...ours.as.EXPERT, plans: [] }
    expect((await openBundle(lapsed, { courseId })).files).toBe(6)
  })
})

describe('an invalid bundle', () => {
  const broken = async (change: (json: ReturnType<typeof jsonOf>) => void) => {
    const json = jsonOf(first)
    change(json)
    const members = Object.entries(unzipFiles(first)).filter(([name]) => name !== 'course.json')
    const bytes = zipOf([
      { name: 'course.json', bytes: JSON.stringify(json) },
      ...members.map(([name, bytes]) => ({ name, bytes })),
    ])
    return imported(ours.as.EXPERT, 'broken.zip', bytes)
  }
  const refused = (key: string) => ({ state: 'failed', courseId: null, failure: { fields: { file: [key] } } })

  test('of a later version is refused with a message', async () => {
    expect(await broken((json) => (json.version = 2))).toMatchObject(refused('bundle_newer'))
  })

  test('is refused with the position of the error', async () => {
    const script = { type: 'doc', content: [{ type: 'script' }] }
    const made = await broken((json) => (json.modules[0].lessons[0].blocks = script))
    expect(made).toMatchObject(refused('bundle_damaged'))
    expect(made.failure?.variables.path).toContain('modules.0.lessons.0.blocks')
    expect(await broken((json) => (json.files[0].path = '../../etc/passwd'))).toMatchObject(refused('bundle_damaged'))
    expect(await broken((json) => (json.tasks[0].maxFiles = 0))).toMatchObject(refused('bundle_damaged'))
  })

  test('loses a missing file, and reports it', async () => {
    const made = await broken((json) => {
      for (const file of json.files) if (file.name.endsWith('.pdf')) file.path = 'files/none'
    })
    expect(made).toMatchObject({ state: 'done', report: { files: 5, notes: [{ kind: 'fileMissing' }] } })
  })

  test('with an executable keeps it out of the storage', async () => {
    const made = await broken((json) => {
      for (const file of json.files) if (file.name.endsWith('.csv')) file.name = 'дані.exe'
    })
    expect(made).toMatchObject({ state: 'done', report: { notes: [{ kind: 'fileRefused', title: 'дані.exe' }] } })
    expect((await listFiles(ours.as.OWNER, { search: '.exe' })).rows).toEqual([])
  })
})

function keysOf(shape: z.ZodObject): string[] {
  return Object.keys(shape.shape)
}

/** Every `type` in a JSON schema. */
function typesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'properties' in schema ? Reflect.get(Object(schema.properties), 'type') : undefined
  const name = typeof own === 'object' && own !== null && 'const' in own ? [String(own.const)] : []
  return [...name, ...Object.values(schema).flatMap(typesOf)]
}
