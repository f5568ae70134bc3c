import { expect, test } from 'vitest'
import { dark, light, type Palette } from './palette.ts'

const channel = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => channel(Number.parseInt(colour.slice(at, at + 2), 16) / 255))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (bright + 0.05) / (dim + 0.05)
}

const texts = ['text', 'quiet', 'accent', 'get', 'post', 'patch', 'warn'] as const
const grounds = ['ground', 'raised', 'sunken'] as const

test.each([
  ['light', light],
  ['dark', dark],
] as [string, Palette][])(
  'every text of the %s palette has a contrast of at least 4.5 on every ground',
  (_, palette) => {
    for (const text of texts) {
      for (const ground of grounds) {
        expect(contrast(palette[text], palette[ground]), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
      }
    }
  },
)
