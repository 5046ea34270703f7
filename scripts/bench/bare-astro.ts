import http from 'node:http'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/* Baseline E, a separate process: node bare-astro.ts <dist> <port>. The adapter's handler on a plain server. */
const [dist = '', port = '0'] = process.argv.slice(2)
const { handler } = await import(pathToFileURL(path.join(dist, 'server/entry.mjs')).href)
http.createServer(handler).listen(Number(port), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
