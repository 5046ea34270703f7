import { spawn } from 'node:child_process'
import path from 'node:path'

/**
 * 10,000 bookings of 500 times of one mentor, 64 at a time; `npm test` runs fewer. Returns whether no time was booked
 * twice and no credit was lost.
 */
export function soakBookings(): Promise<boolean> {
  const cwd = path.resolve(import.meta.dirname, '../..')
  const env = { BOOKING_ATTEMPTS: '10000', BOOKING_SLOTS: '500', ...process.env }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/test.ts', 'unit', 'booking-crowd'], { cwd, env, stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', (status) => resolve(status === 0))
  })
}
