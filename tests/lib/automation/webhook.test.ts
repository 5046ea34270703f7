import { createHmac } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getAutomation, switchAutomation } from '#lib/automation/automation.ts'
import { runAutomations } from '#lib/automation/run-automations.ts'
import { callWebhook, WEBHOOK_RETRY_MS, type WebhookCall } from '#lib/automation/webhook/call.ts'
import { resendWebhook } from '#lib/automation/webhook/resend.ts'
import { rotateWebhookSecret } from '#lib/automation/webhook/rotate-secret.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { listAutomationRuns, listWaitingJobs, saveAutomation } from '../../setup/automation.ts'
import { giveAccess } from '../../setup/chat/conversations.ts'
import { withTask } from '../../setup/course/works.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

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

  test('that has failed is called again manually with the same id, once', async () => {
    await toTestServer()
    status = 410
    const call = await firstCall()
    await callWebhook(call, { isAllowed })
    const { cause, studentId } = call
    const run = { automationId, studentId, cause }
    expect(await runs()).toMatchObject([{ result: 'failed', cause, studentId }])
    await execute(`update automation_run set created_at = now() - interval '9 days'`)
    await pool.query(`delete from pgboss.job where name = 'automation.callWebhook'`)
    status = 200
    await resendWebhook(owner, run)
    await resendWebhook(owner, run)
    expect(await runs()).toMatchObject([{ result: 'pending', attempts: 0, reason: null, responseStatus: null }])
    expect(await listWaitingJobs<WebhookCall>(home.tenant.id, 'automation.callWebhook')).toEqual([call])
    await callWebhook(call, { isAllowed })
    expect(await runs()).toMatchObject([{ result: 'done', attempts: 1, responseStatus: 200 }])
    expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id'])
    expect(received[1]?.body).not.toBe('')
    await expect(resendWebhook(owner, run)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('that is sent again waits a day for a receiver that does not answer, as a new one', async () => {
    const call = await firstCall()
    const now = new Date()
    await execute(`update automation_run set result = 'failed', created_at = now() - interval '9 days'`)
    await resendWebhook(owner, { automationId, studentId: call.studentId, cause: call.cause }, now)
    await execute(`insert into automation_run (tenant_id, automation_id, student_id, cause, result, reason, next_attempt_at)
      select tenant_id, automation_id, student_id, 'other', 'pending', 'webhook_silent', now() + interval '1 hour'
      from automation_run`)
    await callWebhook(call, { now, isAllowed })
    const { rows } = await execute(`select result from automation_run where cause <> 'other'`)
    expect(rows).toEqual([{ result: 'pending' }])
  })

  test('of an automation that is off is not sent again, nor by others', async () => {
    const { studentId, cause } = await firstCall()
    const run = { automationId, studentId, cause }
    await execute(`update automation_run set result = 'failed'`)
    const other = await createOtherTenant()
    await expect(resendWebhook(other.as.OWNER, run)).rejects.toMatchObject({ code: 'not_found' })
    await expect(rotateWebhookSecret(other.as.OWNER, { automationId, version: 1 })).rejects.toMatchObject({
      code: 'not_found',
    })
    const isManager = (role: string) => role === 'OWNER' || role === 'DIRECTOR'
    for (const role of ROLES.filter((name) => !isManager(name))) {
      await expect((async () => resendWebhook(home.as[role], run))()).rejects.toMatchObject({ code: 'forbidden' })
      await expect(
        (async () => rotateWebhookSecret(home.as[role], { automationId, version: 1 }))(),
      ).rejects.toMatchObject({
        code: 'forbidden',
      })
    }
    await expect(resendWebhook(owner, { ...run, cause: 'x' })).rejects.toMatchObject({ code: 'not_found' })
    await switchAutomation(owner, { automationId, isOn: false })
    await expect(resendWebhook(owner, run)).rejects.toMatchObject({
      details: { fields: { form: ['automation_off'] } },
    })
    expect(await runs()).toMatchObject([{ result: 'failed' }])
  })

  test('is signed with the new and the previous secret for a day after a rotation', async () => {
    await toTestServer()
    const call = await firstCall()
    const before = await getAutomation(owner, { automationId })
    expect(before.previousSecretUntil).toBeNull()
    const { version } = await rotateWebhookSecret(owner, { automationId, version: before.version })
    await expect(rotateWebhookSecret(owner, { automationId, version: before.version })).rejects.toMatchObject({
      code: 'conflict',
    })
    const after = await getAutomation(owner, { automationId })
    expect(after.version).toBe(version)
    expect(after.webhookSecret).not.toBe(before.webhookSecret)
    expect((after.previousSecretUntil?.getTime() ?? 0) - Date.now()).toBeGreaterThan(23 * 3_600_000)
    status = 500
    await callWebhook(call, { isAllowed })
    const tomorrow = new Date(Date.now() + 25 * 3_600_000)
    await callWebhook(call, { isAllowed, now: tomorrow })
    const signed = (request: Received | undefined, secret: string | null) => {
      const { 'webhook-id': id, 'webhook-timestamp': at } = request?.headers ?? {}
      const key = Buffer.from(String(secret).replace(/^whsec_/, ''), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${at}.${request?.body}`).digest('base64')}`
    }
    const [first, second] = received
    expect(first?.headers['webhook-signature']).toBe(
      `${signed(first, after.webhookSecret)} ${signed(first, before.webhookSecret)}`,
    )
    expect(second?.headers['webhook-signature']).toBe(signed(second, after.webhookSecret))
    expect((await getAutomation(owner, { automationId }, tomorrow)).previousSecretUntil).toBeNull()
    const { rows } = await execute(`select action from audit_entry where action = 'automation.secret_rotated'`)
    expect(rows).toHaveLength(1)
  })
})
