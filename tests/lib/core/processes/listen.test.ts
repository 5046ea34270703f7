import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { listen } from '#lib/core/processes/listen.ts'

const CLIENT = `
  const net = require('node:net')
  const { port, connected } = require('node:worker_threads').workerData
  for (let n = 0; n < 40; n++) {
    const socket = net.connect(port, '127.0.0.1', () => {
      Atomics.add(connected, 0, 1)
      Atomics.notify(connected, 0)
    })
    socket.on('error', () => {})
  }`

test('a server accepts several waiting connections in one turn of the event loop', async () => {
  const server = http.createServer()
  const listening = await listen(server, { host: '127.0.0.1', port: 0 })
  let accepted = 0
  server.on('connection', (socket) => {
    accepted++
    socket.on('error', () => {})
  })
  const { port } = server.address() as AddressInfo
  const connected = new Int32Array(new SharedArrayBuffer(4))
  const client = new Worker(CLIENT, { eval: true, workerData: { port, connected } })
  // Blocks this thread until the system has established all connections.
  for (let count = 0; count < 40; count = Atomics.load(connected, 0)) Atomics.wait(connected, 0, count, 1000)
  const acceptedPerTurn: number[] = []
  while (accepted < 40) {
    const before = accepted
    await new Promise((resolve) => setImmediate(resolve))
    acceptedPerTurn.push(accepted - before)
  }
  expect(Math.max(...acceptedPerTurn)).toBeGreaterThan(1)
  await client.terminate()
  listening.close()
  server.close()
  await once(server, 'close')
})

test('a server that closed its sockets frees the port', async () => {
  const server = http.createServer((_request, response) => response.end('ok'))
  const listening = await listen(server, { host: '127.0.0.1', port: 0 })
  const { port } = server.address() as AddressInfo
  for (let n = 0; n < 20; n++) expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('ok')
  listening.close()
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed')
})

test('a port in use is an error', async () => {
  const server = http.createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await expect(listen(http.createServer(), { host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  server.close()
})
