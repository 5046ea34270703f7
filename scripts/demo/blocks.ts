import { inArray } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type LessonNode, srcOf } from '#lib/core/shared/lesson-doc.ts'
import { getLesson, publishLesson } from '#lib/course/lesson/lesson.ts'
import { saveLesson } from '#lib/course/lesson/save.ts'
import { file } from '#lib/storage/table.ts'

const PICTURES = { 'Сцена.png': 'Порожня сцена у синьому світлі', 'Студія.png': 'Студія з рожевим тлом' }
const PDF = 'План вебінару.pdf'
const VIDEO = 'Проба камери.mp4'

/** Adds blocks with files of the school's storage to a lesson, and publishes it. */
export async function showBlocks(author: Actor, lessonId: string): Promise<void> {
  const files = await filesBy(author, [...Object.keys(PICTURES), PDF, VIDEO])
  const pictures = Object.entries(PICTURES).flatMap(([name, alt]) => {
    const id = files.get(name)
    return id ? [{ type: 'image', attrs: { src: srcOf(id), alt } }] : []
  })
  const [pdf, videoFile] = [files.get(PDF), files.get(VIDEO)]
  const blocks: LessonNode[] = [
    ...(videoFile ? [{ type: 'video', attrs: { fileId: videoFile } }] : []),
    callout('tip', 'Запишіть на диктофон хвилину звичайної розмови. Це ваша точка відліку: через місяць порівняєте.'),
    { type: 'columns', content: [column('До ефіру', BEFORE), column('Під час ефіру', DURING)] },
    ...(pictures.length > 0 ? [{ type: 'gallery', content: pictures }] : []),
    ...(pdf ? [{ type: 'pdf', attrs: { fileId: pdf, name: PDF } }] : []),
    callout('warning', 'Якщо горло болить, не тренуйтеся. Голосу потрібен відпочинок, а не наполегливість.'),
    { type: 'button', attrs: { label: 'Усі мої курси', href: '/courses' } },
  ]
  const { version, blocks: doc } = await getLesson(author, { lessonId })
  await saveLesson(author, { lessonId, version, change: { at: doc.content.length, remove: 0, insert: blocks } })
  await publishLesson(author, { lessonId })
}

/** Adds the video of the school's storage to a lesson after its first paragraph, and publishes it; none without a video. */
export async function showVideo(author: Actor, lessonId: string): Promise<void> {
  const fileId = (await filesBy(author, [VIDEO])).get(VIDEO)
  if (!fileId) return
  const { version } = await getLesson(author, { lessonId })
  const insert: LessonNode[] = [{ type: 'video', attrs: { fileId } }]
  await saveLesson(author, { lessonId, version, change: { at: 1, remove: 0, insert } })
  await publishLesson(author, { lessonId })
}

const BEFORE = ['склянка теплої води', 'п’ять хвилин розминки', 'спокійний видих']
const DURING = ['пауза після запитання', 'усмішка, яку чути', 'ковток води щочверть години']

async function filesBy(author: Actor, names: string[]): Promise<Map<string, string>> {
  const rows = await inTenant(author, (tx) =>
    tx.select({ id: file.id, name: file.name }).from(file).where(inArray(file.name, names)),
  )
  return new Map(rows.map(({ id, name }) => [name, id]))
}

const words = (text: string): LessonNode => ({ type: 'paragraph', content: [{ type: 'text', text }] })

function callout(tone: string, text: string): LessonNode {
  return { type: 'callout', attrs: { tone }, content: [words(text)] }
}

function column(title: string, lines: string[]): LessonNode {
  const heading = { type: 'heading', attrs: { level: 3 }, content: [{ type: 'text', text: title }] }
  const items = lines.map((line) => ({ type: 'listItem', content: [words(line)] }))
  return { type: 'column', content: [heading, { type: 'bulletList', content: items }] }
}
