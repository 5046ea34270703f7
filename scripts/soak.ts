import { parseArgs } from 'node:util'
import { fireMixed } from './bench/load.ts'
import { endAll, memoryOf } from './bench/processes.ts'
import { type Sample, slope } from './bench/slope.ts'
import { setStage } from './bench/stage.ts'
import { soakDrafts } from './soak/drafts.ts'

/*
 * npm run soak: first `drafts`, the chaos tests with all their seeds; then `load`, or either alone by its name.
 * --minutes 10: mixed load without a pause, the process's memory every ten seconds, and at the end the slope of the
 * second half, when caches and compiled code have settled. `broadcast`: the media plane with viewers who come and go. `room`: a room of a
 * thousand that talks for a minute. `overload`: twice as many requests as a process
 * can serve. `parsers`: the work of every parser at growing lengths of hostile texts.
 * `appearances`: every screen at three widths, in both languages and themes.
 * `presentations <folder>`: every presentation of a folder, converted to PDF by LibreOffice.
 * `emails <folder>`: every email of a folder, as a delivery report and as a reply.
 * `imports <folder>`: every course file of a folder, compared with what was imported. `questions <folder>`: every file of
 * questions of a folder, with what came in, what changed and what was skipped. `attempts`: a student's devices during an
 * attempt, over 320 seeds, and 24 of them in a browser. `bookings`: 10,000 bookings of 500 times of a mentor. `chat`: devices that write in a conversation, over 320 seeds. `payments`: 10,000 sequences of callbacks of each payment
 * provider. `full-disk`: the product on a disk that another program fills (root). `student-imports`: an import of 10,000 students. `locks`: a minute of operations that take the locks of a school, and the longest waits. `postgres [directory]`: all unit tests on the oldest supported PostgreSQL, Debian's by default. `mutants [rules, modules, paths]`:
 * changes the code and tells which changes no test notices; `--refusals 20` of each module at most.
 * `listed-mutants [words]`: the changes of `scripts/mutants/listed`, each of which the named test files have to detect.
 */
const options = { minutes: { type: 'string', default: '10' }, refusals: { type: 'string' } } as const
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const wants = (part: string) => positionals.length === 0 || positionals.includes(part)
if (positionals[0] === 'imports') {
  const { soakImports } = await import('./soak/imports.ts')
  process.exit((await soakImports(positionals[1] ?? '.')) ? 0 : 1)
}
if (positionals[0] === 'questions') {
  const { soakQuestions } = await import('./soak/questions.ts')
  process.exit((await soakQuestions(positionals[1] ?? '.')) ? 0 : 1)
}
if (positionals[0] === 'calendars') {
  const { soakCalendars } = await import('./soak/calendars.ts')
  process.exit((await soakCalendars(positionals[1])) ? 0 : 1)
}
if (positionals[0] === 'presentations') {
  const { soakPresentations } = await import('./soak/presentations.ts')
  process.exit((await soakPresentations(positionals[1])) ? 0 : 1)
}
if (positionals[0] === 'emails') {
  const { soakEmails } = await import('./soak/emails.ts')
  process.exit((await soakEmails(positionals[1] ?? '.')) ? 0 : 1)
}
if (positionals[0] === 'mutants') {
  const { soakMutants } = await import('./soak/mutants.ts')
  const most = values.refusals === undefined ? undefined : Number(values.refusals)
  process.exit((await soakMutants(positionals.slice(1), most)) ? 0 : 1)
}
if (positionals[0] === 'listed-mutants') {
  const { soakListedMutants } = await import('./soak/listed-mutants.ts')
  process.exit((await soakListedMutants(positionals.slice(1))) ? 0 : 1)
}
if (positionals[0] === 'appearances') {
  const { soakAppearances } = await import('./soak/appearances.ts')
  process.exit((await soakAppearances()) ? 0 : 1)
}
if (positionals[0] === 'attempts') {
  const { soakAttempts } = await import('./soak/attempts.ts')
  process.exit((await soakAttempts()) ? 0 : 1)
}
if (positionals[0] === 'chat') {
  const { soakChat } = await import('./soak/chat.ts')
  process.exit((await soakChat()) ? 0 : 1)
}
if (positionals[0] === 'bookings') {
  const { soakBookings } = await import('./soak/bookings.ts')
  process.exit((await soakBookings()) ? 0 : 1)
}
if (positionals[0] === 'full-disk') {
  const { soakFullDisk } = await import('./soak/full-disk.ts')
  const isKept = await soakFullDisk().finally(endAll)
  process.exit(isKept ? 0 : 1)
}
if (positionals[0] === 'student-imports') {
  const { soakStudentImports } = await import('./soak/student-imports.ts')
  process.exit((await soakStudentImports()) ? 0 : 1)
}
if (positionals[0] === 'locks') {
  const { soakLocks } = await import('./soak/locks.ts')
  process.exit((await soakLocks()) ? 0 : 1)
}
if (positionals[0] === 'payments') {
  const { soakPayments } = await import('./soak/payments.ts')
  process.exit((await soakPayments()) ? 0 : 1)
}
if (positionals[0] === 'postgres') {
  const { soakPostgres } = await import('./soak/postgres.ts')
  process.exit((await soakPostgres(positionals[1])) ? 0 : 1)
}
let kept = wants('drafts') ? await soakDrafts() : true
const minutes = Number(values.minutes)
if (wants('overload')) {
  const { soakOverload } = await import('./soak/overload-soak.ts')
  try {
    kept = (await soakOverload()) && kept
  } finally {
    await endAll()
  }
}
if (wants('parsers')) {
  const { soakParsers } = await import('./soak/parsers.ts')
  kept = (await soakParsers()) && kept
}
if (wants('broadcast')) {
  const { soakBroadcast } = await import('./soak/broadcast.ts')
  console.log(await soakBroadcast(minutes))
}
if (wants('room')) {
  const { crowdedRoom } = await import('./bench/live/room.ts')
  const { printed } = await import('./bench/report.ts')
  try {
    console.log(printed(await crowdedRoom(60)))
  } finally {
    await endAll()
  }
}
if (!wants('load')) process.exit(kept ? 0 : 1)
// Each of the 20 connections sends complete rounds of the mixture.
const AT_ONCE = 1000
const samples: Sample[] = []
process.once('SIGINT', () => void endAll().then(() => process.exit(130)))
let requests = 0
try {
  const { product, big } = await setStage()
  const since = Date.now()
  const elapsed = () => (Date.now() - since) / 60_000
  const sampler = setInterval(() => {
    const sample = { minute: elapsed(), megabytes: memoryOf(product.pid) }
    samples.push(sample)
    console.log(`${sample.minute.toFixed(2)} min  ${sample.megabytes.toFixed(1)} MB  ${requests} requests`)
  }, 10_000)
  while (elapsed() < minutes) {
    await fireMixed(product, big, AT_ONCE)
    requests += AT_ONCE
  }
  clearInterval(sampler)
} finally {
  await endAll()
}
const later = samples.filter(({ minute }) => minute > minutes / 2)
const most = Math.max(...samples.map(({ megabytes }) => megabytes))
const growth = slope(later)
console.log(
  `${requests} requests; most ${most.toFixed(1)} MB; slope of the second half ${growth.toFixed(2)} MB a minute`,
)
process.exit(kept ? 0 : 1)
