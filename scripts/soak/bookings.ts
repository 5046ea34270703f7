import { runTests } from './run-tests.ts'

const { BOOKING_ATTEMPTS = '10000', BOOKING_SLOTS = '500' } = process.env

/**
 * 10,000 bookings of 500 times of one mentor, 64 at a time; `npm test` runs fewer. Returns whether no time was booked
 * twice and no credit was lost.
 */
export function soakBookings(): Promise<boolean> {
  return runTests(['unit', 'booking-crowd'], { BOOKING_ATTEMPTS, BOOKING_SLOTS })
}
