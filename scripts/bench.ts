import { endAll } from './bench/processes.ts'
import { ROOT } from './bench/product.ts'
import { limitRow, printed, type Section, write } from './bench/report.ts'
import { cabinetPage, publicPages, sessionInfo } from './bench/speed.ts'
import { type Stage, setStage } from './bench/stage.ts'

/*
 * npm run bench: writes all results to docs/benchmarks.md; `npm run bench -- public session` runs only these parts. A
 * missed goal is reported; only a failed measurement fails the command.
 */
const PARTS: Record<string, (getStage: () => Promise<Stage>) => Promise<Section>> = {
  public: async (getStage) => publicPages(await getStage()),
  session: async (getStage) => sessionInfo(await getStage()),
  pages: async (getStage) => (await import('./bench/pages/signed-in.ts')).signedInPages(await getStage()),
  processes: async (getStage) => (await import('./bench/pages/two-processes.ts')).twoProcesses(await getStage()),
  students: async () => (await import('./bench/students/student-list.ts')).studentPages(),
  quiz: async () => (await import('./bench/quiz/quiz.ts')).quizzes(),
  chat: async () => (await import('./bench/chat/chat.ts')).chatPages(),
  schedule: async () => (await import('./bench/schedule/schedule.ts')).schedulePages(),
  mentoring: async () => (await import('./bench/schedule/schedule.ts')).mentoringSlots(),
  sales: async () => (await import('./bench/sales/sales.ts')).salesPages(),
  certificates: async () => (await import('./bench/students/certificates.ts')).certificateJob(),
  cabinet: async (getStage) => cabinetPage(await getStage()),
  learning: async (getStage) => (await import('./bench/pages/learning.ts')).learningPages(await getStage()),
  figures: async (getStage) => (await import('./bench/pages/figures.ts')).eventFigures(await getStage()),
  storage: async (getStage) => (await import('./bench/storage.ts')).storagePage(await getStage()),
  script: async (getStage) => (await import('./bench/pages/script.ts')).scriptSizes(await getStage()),
  lighthouse: async (getStage) => (await import('./bench/pages/lighthouse.ts')).lighthouseScores(await getStage()),
  lesson: async (getStage) => (await import('./bench/pages/lesson-page.ts')).lessonPages(await getStage()),
  saving: async (getStage) => (await import('./bench/pages/lesson-save.ts')).lessonSaving(await getStage()),
  live: liveStreams,
  room: async () => (await import('./bench/live/room.ts')).crowdedRoom(),
  reload: async () => (await import('./bench/live/reload.ts')).presenterReload(),
  broadcast: async () => (await import('./bench/live/broadcast.ts')).broadcastPlane(),
  video: async (getStage) => (await import('./bench/pipeline.ts')).videoPipeline(await getStage()),
  upload: async (getStage) => (await import('./bench/upload.ts')).uploadRate(await getStage()),
  range: async (getStage) => (await import('./bench/range.ts')).rangeRate(await getStage()),
  memory: async (getStage) => (await import('./bench/memory.ts')).memoryAfter(await getStage()),
}

async function liveStreams(): Promise<Section> {
  const { benchLive } = await import('./bench/live/live.ts')
  const { rows } = await benchLive()
  return {
    title: 'Live streams',
    note: 'From `publish` to the bytes in the client, one process, one school.',
    rows: rows.map(({ label, measured, unit, limit }) => limitRow(label, measured, ` ${unit}`, limit, 1)),
  }
}

const args = process.argv.slice(2)
const chosen = Object.entries(PARTS).filter(([name]) => args.length === 0 || args.includes(name))
process.once('SIGINT', () => void endAll().then(() => process.exit(130)))
const sections: Section[] = []
const failures: string[] = []
try {
  let stage: Promise<Stage> | undefined
  const getStage = () => (stage ??= setStage())
  for (const [name, measure] of chosen) {
    try {
      const section = await measure(getStage)
      sections.push(section)
      console.log(printed(section))
    } catch (error) {
      failures.push(name)
      console.error(`${name} could not be measured:`, error)
    }
  }
  write(ROOT, sections)
} finally {
  await endAll()
}
const rows = sections.flatMap((section) => section.rows).filter((row) => row.reached !== null)
console.log(`${rows.filter((row) => row.reached).length} of ${rows.length} goals reached`)
process.exit(failures.length > 0 ? 1 : 0)
