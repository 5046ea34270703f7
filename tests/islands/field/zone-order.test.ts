import { expect, test } from 'vitest'
import { isSameClock, orderZones } from '#islands/field/zone-order.ts'

const valuesOf = (options: { value: string }[]) => options.map(({ value }) => value)

test('the list of zones starts with what is no zone, the zone of the device and Kyiv', () => {
  const options = ['', 'Africa/Cairo', 'Asia/Tokyo', 'Europe/Kyiv', 'UTC'].map((value) => ({ value }))
  expect(valuesOf(orderZones(options, 'Asia/Tokyo'))).toEqual(['', 'Asia/Tokyo', 'Europe/Kyiv', 'Africa/Cairo', 'UTC'])
  expect(valuesOf(orderZones(options, 'Europe/Kyiv'))).toEqual(['', 'Europe/Kyiv', 'Africa/Cairo', 'Asia/Tokyo', 'UTC'])
})

test('zones with the same clock all year do not differ, and those with other summer times do', () => {
  const now = new Date('2027-01-10T00:00:00Z')
  expect(isSameClock('Europe/Berlin', 'Europe/Warsaw', now)).toBe(true)
  expect(isSameClock('Europe/Kyiv', 'Europe/Kiev', now)).toBe(true)
  expect(isSameClock('Africa/Cairo', 'Africa/Tripoli', now)).toBe(false)
  expect(isSameClock('Europe/Kyiv', 'Asia/Tokyo', now)).toBe(false)
})
