import pg from 'pg'
import { atEnd, temporary } from './processes.ts'
import { overSocket, type Product, startProduct } from './product.ts'
import { makeSchool, type School } from './schools.ts'
import { openWire, type Wire } from './trips.ts'

/** An installation with two schools, ready for measurements. */
export interface Stage {
  socketDir: string
  product: Product
  small: School
  big: School
}

export async function setStage(): Promise<Stage> {
  const { startEmbedded } = await import('#lib/core/db/embedded.ts')
  const embedded = await startEmbedded(temporary('pg'))
  atEnd(embedded.stop)
  const { socketDir } = embedded
  const product = await startProduct(overSocket(socketDir))
  const client = new pg.Client({ connectionString: overSocket(socketDir) })
  await client.connect()
  try {
    // A full page of courses, so that both schools show pages of the same length.
    const small = await makeSchool(client, { subdomain: 'mala', courses: 12, students: 200 })
    const big = await makeSchool(client, { subdomain: 'velyka', courses: 500, students: 20_000 })
    await client.query('analyze')
    return { socketDir, product, small, big }
  } finally {
    // Closed before the server; otherwise the error of this connection would hide the real error.
    await client.end()
  }
}

/** A second process on the same database, whose messages are counted; it runs no jobs. */
export async function startCounted(socketDir: string): Promise<{ product: Product; wire: Wire }> {
  const wire = await openWire(socketDir)
  const product = await startProduct(overSocket(wire.socketDir), { more: { JOBS_IN_PROCESS: 'false' } })
  return { product, wire }
}
