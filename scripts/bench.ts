import { endAll } from './bench/processes.ts'
import { ROOT } from './bench/product.ts'
import { limitRow, printed, type Section, write } from './bench/report.ts'
import { cabinetPage, publicPages, sessionInfo } from './bench/speed.ts'
import { type Stage, setStage } from './bench/stage.ts'

/*
 * npm run bench: everything into docs/benchmarks.md; `npm run bench -- public session`: some parts of it. A goal that is
 * not reached is shown; only what could not be measured fails.
 */
const PARTS: Record<string, (stage: Stage) => Promise<Section>> = {
  public: publicPages,
  session: sessionInfo,
  pages: async (stage) => (await import('./bench/pages/signed-in.ts')).signedInPages(stage),
  processes: async (stage) => (await import('./bench/pages/two-processes.ts')).twoProcesses(stage),
  cabinet: cabinetPage,
  learning: async (stage) => (await import('./bench/pages/learning.ts')).learningPages(stage),
  figures: async (stage) => (await import('./bench/pages/figures.ts')).eventFigures(stage),
  storage: async (stage) => (await import('./bench/storage.ts')).storagePage(stage),
  script: async (stage) => (await import('./bench/pages/script.ts')).scriptSizes(stage),
  lighthouse: async (stage) => (await import('./bench/pages/lighthouse.ts')).lighthouseScores(stage),
  lesson: async (stage) => (await import('./bench/pages/lesson-page.ts')).lessonPages(stage),
  saving: async (stage) => (await import('./bench/pages/lesson-save.ts')).lessonSaving(stage),
  live: liveStreams,
  room: async () => (await import('./bench/live/room.ts')).crowdedRoom(),
  reload: async () => (await import('./bench/live/reload.ts')).presenterReload(),
  broadcast: async () => (await import('./bench/live/broadcast.ts')).broadcastPlane(),
  video: async (stage) => (await import('./bench/pipeline.ts')).videoPipeline(stage),
  upload: async (stage) => (await import('./bench/upload.ts')).uploadRate(stage),
  range: async (stage) => (await import('./bench/range.ts')).rangeRate(stage),
  memory: async (stage) => (await import('./bench/memory.ts')).memoryAfter(stage),
}

async function liveStreams(): Promise<Section> {
  const { benchLive } = await import('./bench/live/live.ts')
  const { rows } = await benchLive()
  return {
    title: 'Live streams',
    note: 'From `publish` to the bytes in the client, one process, one school.',
    rows: rows.map(({ what, measured, unit, wanted }) => limitRow(what, measured, ` ${unit}`, wanted, 1)),
  }
}

const asked = process.argv.slice(2)
const chosen = Object.entries(PARTS).filter(([name]) => asked.length === 0 || asked.includes(name))
process.once('SIGINT', () => void endAll().then(() => process.exit(130)))
const sections: Section[] = []
const failures: string[] = []
try {
  const stage = await setStage()
  for (const [name, measure] of chosen) {
    try {
      const section = await measure(stage)
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
