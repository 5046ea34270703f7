import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { socketDirOf } from '#lib/core/db/embedded-place.ts'
import { overload } from '../../scripts/soak/overload.ts'
import { sendRequest } from '../setup/media/http-request.ts'
import { startProduct } from '../setup/product.ts'
import { removeClusterDirectory } from '../setup/servers/cluster.ts'
import { DEMO_PASSWORD, expect, staffEmail, test } from './support/test.ts'

let dataDir = ''

test.beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'kp-'))
})

test.afterEach(() => removeClusterDirectory(dataDir))

// `npm run soak -- overload` runs longer and compares the times.
test('an overloaded product refuses pages early, stays healthy, loses no write and recovers', async () => {
  test.slow()
  const product = await startProduct({ dataDir, env: { REQUESTS_AT_ONCE: '30' } })
  const host = `demo.kafedra.localhost:${product.port}`
  const { cookies } = await sendRequest(product.port, 'kafedra.localhost', '/v1/module/user/login', {
    body: { email: staffEmail('owner'), password: DEMO_PASSWORD },
  })
  const headers = { host, cookie: `token=${cookies.token}` }
  const result = await overload(
    {
      port: product.port,
      pages: [
        { path: '/', headers },
        { path: '/courses', headers },
      ],
      write: (name) => ({
        path: '/v1/module/storage/createFolder',
        headers: { ...headers, origin: `http://${host}`, 'content-type': 'application/json' },
        body: JSON.stringify({ parentId: null, name }),
      }),
    },
    { normalSeconds: 2, overloadSeconds: 4, factor: 4 },
  )
  expect(result).toMatchObject({ refusedWithoutTime: 0, failed: 0, health: { failed: 0 } })
  expect(result.refused.count).toBeGreaterThan(0)
  expect(result.acknowledged.length).toBeGreaterThan(0)

  const client = new pg.Client({ host: socketDirOf(dataDir), user: 'kafedra', database: 'kafedra' })
  await client.connect()
  await client.query("select set_config('app.tenant_id', id::text, false) from tenant where subdomain = 'demo'")
  const { rows } = await client.query<{ name: string }>("select name from file where kind = 'folder'")
  await client.end()
  await product.stop()
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(result.acknowledged))
})
