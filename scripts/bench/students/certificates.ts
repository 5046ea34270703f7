import pg from 'pg'
import { atEnd, temporary } from '../processes.ts'
import { overSocket, startProduct } from '../product.ts'
import { limitRow, type Section } from '../report.ts'
import { runProgram } from './program.ts'
import { makeStudentSchool } from './student-schools.ts'

const STUDENTS = 1050

export interface CertificateTimes {
  seconds: number
  issued: number
  /** Megabytes of the process after one hundred certificates, and the maximum afterwards. */
  memoryAtFirst: number
  memoryAtMost: number
  /** The same including the process that renders the PDFs. */
  withWorkerAtFirst: number
  withWorkerAtMost: number
}

/** About 1,000 certificates that one job issues, each with its PDF; none for blocked and deleted students. */
export async function certificateJob(): Promise<Section> {
  const { startEmbedded } = await import('#lib/core/db/embedded.ts')
  const embedded = await startEmbedded(temporary('pg'))
  atEnd(embedded.stop)
  const database = overSocket(embedded.socketDir)
  // Migrates the database; the job is run by a separate program.
  const product = await startProduct(database)
  await product.stop()
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const school = await makeStudentSchool(client, 'mala', STUDENTS)
  await client.end()
  const times = await runProgram<CertificateTimes>('certificate-program.ts', database, [
    school.subdomain,
    school.ownerToken,
  ])
  const { seconds, issued, memoryAtFirst, memoryAtMost, withWorkerAtFirst, withWorkerAtMost } = times
  const from = (at: number) => `from ${at.toFixed(0)} MB after 100`
  return {
    title: 'Certificates',
    note: 'One job issues certificates with numbers, emails and PDFs. Memory above that of the process after the first hundred is not released after certificates were issued.',
    rows: [
      limitRow(`${issued} certificates in a job`, seconds, ' s', null, 1),
      {
        ...limitRow('memory of the job beyond its first hundred', memoryAtMost - memoryAtFirst, ' MB', 30),
        baseline: from(memoryAtFirst),
      },
      {
        ...limitRow('the same with the process that draws', withWorkerAtMost - withWorkerAtFirst, ' MB', 60),
        baseline: from(withWorkerAtFirst),
      },
    ],
  }
}
