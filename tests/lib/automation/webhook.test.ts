import { createHmac } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getAutomation, switchAutomation } from '#lib/automation/automation.ts'
import { runAutomations } from '#lib/automation/run-automations.ts'
import { callWebhook, WEBHOOK_RETRY_MS, type WebhookCall } from '#lib/automation/webhook/call.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { listAutomationRuns, listWaitingJobs, saveAutomation } from '../../setup/automation.ts'
import { giveAccess } from '../../setup/chat/conversations.ts'
import { withTask } from '../../setup/course/works.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

interface Received {
  headers: http.IncomingHttpHeaders
  body: string
}

let server: http.Server
let address: string
let status = 200
let received: Received[] = []
beforeAll(async () => {
  server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(status, { location: '/elsewhere' }).end('x')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
})
afterAll(async () => {
  server.close()
  await pool.end()
})

let home: TestTenant
let owner: Actor
let automationId: string
beforeEach(async () => {
  status = 200
  received = []
  home = await createTestTenant()
  owner = home.as.OWNER
  const place = await withTask(owner, {})
  automationId = newId()
  await saveAutomation(owner, {
    automationId,
    version: 0,
    settings: {
      title: 'У CRM',
      trigger: 'courseJoined',
      action: 'callWebhook',
      webhookAddress: 'https://crm.example.com/hook',
    },
  })
  await switchAutomation(owner, { automationId, isOn: true }, new Date(Date.now() - 60_000))
  await giveAccess(home.as.STUDENT, place.courseId)
  await runAutomations()
})

// The test server is the only address inside that is allowed.
const isAllowed = (ip: string) => ip === '127.0.0.1'
const runs = async () => (await listAutomationRuns(owner, { automationId })).items
const execute = (text: string) => inTenant(owner, (tx) => tx.execute(text))

async function firstCall() {
  const [call] = await listWaitingJobs<WebhookCall>(home.tenant.id, 'automation.callWebhook')
  if (!call) throw new Error('no call waits')
  return call
}
const toTestServer = () => execute(`update automation set webhook_address = '${address}'`)

describe('a webhook', () => {
  test('is called once with the student and a signature that its secret confirms', async () => {
    await toTestServer()
    const call = await firstCall()
    expect(await runs()).toMatchObject([{ result: 'pending', attempts: 0 }])
    await callWebhook(call, { isAllowed })
    await callWebhook(call, { isAllowed })
    expect(received).toHaveLength(1)
    const [request] = received
    const { webhookSecret } = await getAutomation(owner, { automationId })
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request?.headers ?? {}
    const key = Buffer.from(String(webhookSecret).replace(/^whsec_/, ''), 'base64')
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${request?.body}`).digest('base64')
    expect(signature).toBe(`v1,${expected}`)
    expect(key).toHaveLength(32)
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60)
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      type: 'automation.courseJoined',
      data: {
        automation: { id: automationId, title: 'У CRM' },
        student: { id: home.as.STUDENT.membershipId, email: home.as.STUDENT.email },
        subject: 'Курс із завданням',
      },
    })
    expect(await runs()).toMatchObject([{ result: 'done', attempts: 1, responseStatus: 200, reason: null }])
  })

  test('is called again at growing intervals with the same id, and has failed after the last one', async () => {
    await toTestServer()
    status = 500
    const call = await firstCall()
    const now = new Date('2031-01-01T10:00:00Z')
    for (const [index, wait] of WEBHOOK_RETRY_MS.entries()) {
      await callWebhook(call, { now, isAllowed })
      expect(await runs()).toMatchObject([
        {
          result: 'pending',
          reason: 'webhook_refused',
          responseStatus: 500,
          attempts: index + 1,
          nextAttemptAt: new Date(now.getTime() + wait),
        },
      ])
    }
    await callWebhook(call, { now, isAllowed })
    expect(await runs()).toMatchObject([{ result: 'failed', attempts: WEBHOOK_RETRY_MS.length + 1 }])
    await callWebhook(call, { now, isAllowed })
    expect(received).toHaveLength(WEBHOOK_RETRY_MS.length + 1)
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('follows no redirect, and is not called again when the address is gone', async () => {
    await toTestServer()
    status = 302
    await callWebhook(await firstCall(), { isAllowed })
    expect(await runs()).toMatchObject([{ result: 'pending', responseStatus: 302 }])
    expect(received).toHaveLength(1)
    status = 410
    await callWebhook(await firstCall(), { isAllowed })
    expect(await runs()).toMatchObject([{ result: 'failed', responseStatus: 410 }])
  })

  test('inside a private network is not contacted', async () => {
    await toTestServer()
    await callWebhook(await firstCall())
    expect(received).toEqual([])
    expect(await runs()).toMatchObject([{ result: 'pending', reason: 'webhook_private', responseStatus: null }])
  })

  test('waits while its receiver does not answer another call, for a day at most', async () => {
    const call = await firstCall()
    for (const cause of ['second', 'old'])
      await execute(`insert into automation_run (tenant_id, automation_id, student_id, cause, result, next_attempt_at, created_at)
        select tenant_id, automation_id, student_id, '${cause}', 'pending', now(),
          now() - interval '${cause === 'old' ? 2 : 0} days' from automation_run where cause = '${call.cause}'`)
    // Nothing listens on this port.
    await execute(`update automation set webhook_address = 'http://127.0.0.1:1/hook'`)
    const now = new Date()
    const until = new Date(now.getTime() + WEBHOOK_RETRY_MS[0])
    await callWebhook(call, { now, isAllowed })
    await toTestServer()
    for (const cause of ['second', 'old']) await callWebhook({ ...call, cause }, { now, isAllowed })
    expect(received).toEqual([])
    const { rows } = await execute('select cause, result, attempts, reason, next_attempt_at as at from automation_run')
    const runOf = (cause: string) => rows.find((row) => row.cause === cause)
    expect(runOf(call.cause)).toMatchObject({ result: 'pending', attempts: 1, reason: 'webhook_silent' })
    expect(runOf('second')).toMatchObject({ result: 'pending', attempts: 0, reason: null })
    expect(new Date(String(runOf('second')?.at))).toEqual(until)
    expect(runOf('old')).toMatchObject({ result: 'failed', reason: 'webhook_silent' })
    await callWebhook({ ...call, cause: 'second' }, { now: until, isAllowed })
    expect(received).toHaveLength(1)
  })

  test('of an automation that was switched off is not called', async () => {
    await toTestServer()
    const call = await firstCall()
    await switchAutomation(owner, { automationId, isOn: false })
    await callWebhook(call, { isAllowed })
    expect(received).toEqual([])
    expect(await runs()).toMatchObject([{ result: 'failed', reason: 'switched_off' }])
  })

  test('has a secret that is stored encrypted and stays the same when the automation is saved', async () => {
    const before = await getAutomation(owner, { automationId })
    await saveAutomation(owner, {
      automationId,
      version: before.version,
      settings: { ...before.settings, title: 'Нова назва' },
    })
    const after = await getAutomation(owner, { automationId })
    expect(after.webhookSecret).toBe(before.webhookSecret)
    expect(after.webhookSecret).toMatch(/^whsec_/)
    const { rows } = await execute('select webhook_secret from automation')
    expect(JSON.stringify(rows)).not.toContain('whsec_')
  })
})
