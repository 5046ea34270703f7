import { once } from 'node:events'
import http from 'node:http'
import { Redis } from 'ioredis'
import { createTransport } from 'nodemailer'
import { expect, test } from 'vitest'
import { sendRequest } from '../media/http-request.ts'
import { startMailServer } from './mail-server.ts'
import { portOf } from './port.ts'
import { startRedisServer } from './redis-server.ts'

test('the mail server stores emails, returns each once, and refuses on request', async () => {
  const server = await startMailServer()
  const transport = createTransport(server.url)
  const letter = {
    from: 'school@kafedra.test',
    to: 'Olena@kafedra.test',
    subject: 'Запрошення',
    text: 'Вітаємо',
    html: '<p>Вітаємо</p>',
  }
  await transport.sendMail(letter)
  expect(await server.waitForMail('olena@kafedra.test')).toMatchObject({ subject: 'Запрошення', text: 'Вітаємо' })
  await expect(server.waitForMail('olena@kafedra.test', 50)).rejects.toThrow('no letter')
  server.refuse('try later')
  await expect(transport.sendMail(letter)).rejects.toThrow('try later')
  transport.close()
  await server.stop()
})

test.each([2, 3] as const)(
  'the Redis server carries messages between clients of protocol %i, also after a disconnect',
  async (protocol) => {
    const server = await startRedisServer()
    const options = { protocol, retryStrategy: () => 20 }
    const [hearer, speaker] = [new Redis(server.url, options), new Redis(server.url, options)]
    for (const client of [hearer, speaker]) client.on('error', () => {})
    await hearer.subscribe('live')
    const heard = once(hearer, 'message')
    expect(await speaker.publish('live', 'привіт')).toBe(1)
    expect(await heard).toEqual(['live', 'привіт'])

    const back = once(hearer, 'ready')
    server.cut()
    await back
    await expect.poll(() => speaker.publish('live', 'again')).toBe(1)
    hearer.disconnect()
    speaker.disconnect()
    await server.stop()
  },
)

test('a request sets another host, sends JSON and reads cookies', async () => {
  const server = http.createServer(async (request, response) => {
    const [chunk] = await request.toArray()
    response.setHeader('set-cookie', ['token=abc; Path=/; HttpOnly', 'locale=; Max-Age=0'])
    response.end(JSON.stringify({ host: request.headers.host, method: request.method, body: String(chunk) }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  const answer = await sendRequest(port, 'demo.kafedra.localhost', '/', { body: { a: 1 } })
  expect(answer.json()).toEqual({ host: `demo.kafedra.localhost:${port}`, method: 'POST', body: '{"a":1}' })
  expect(answer.cookies).toEqual({ token: 'abc', locale: '' })
  server.close()
})
