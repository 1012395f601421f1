import { describe, expect, it } from 'vitest'
import { outlineOf } from './outline.ts'
import { findPages, readPage, translatedBy } from './pages.ts'

const pages = (await findPages()).filter((page) => translatedBy(page) !== null)
const translations = await Promise.all(pages.map(async (page) => ({ page, text: await readPage(page) })))

it.each(translations)('$page has the code, the headings and the tables of its original', async ({ page, text }) => {
  const original = await readPage(translatedBy(page)!)
  expect(outlineOf(text, 'pt')).toEqual(outlineOf(original, 'en'))
})

describe('a translation is like its original', () => {
  const CODE = '```sh\nnpm start # the demo\n```\n'
  it.each([
    ['with other words', '# One\n\n| a | 2 |\n|---|---|\n', '# Um\n\n| b | 2 |\n|---|---|\n'],
    ['with figures as they are written there', '| 43,793 | 3.4 |', '| 43.793 | 3,4 |'],
    ['with versions', '| 6.7.0 | 18.4 |', '| 6.7.0 | 18.4 |'],
    ['with another order of words', '| 5 of 20 |', '| de 20, 5 |'],
    ['with other links', '| [a](../1.md) |', '| [b](../../2.md) |'],
  ])('%s', (_name, original, translation) => {
    expect(outlineOf(translation, 'pt')).toEqual(outlineOf(original, 'en'))
  })

  it.each([
    ['without a heading', '# One\n\n## Two\n', '# Um\n'],
    ['with a heading of another level', '## Two\n', '### Dois\n'],
    ['without a row', '| a |\n| b |\n', '| a |\n'],
    ['without a table', '| a |\n\nText\n\n| b |\n', '| a |\n\nTexto\n'],
    ['with another figure', '| 43,793 |', '| 43.739 |'],
    ['with figures as in English', '| 43,793 |', '| 43,793 |'],
    ['with other code', CODE, CODE.replace('start', 'test')],
    ['with another comment in the code', CODE, CODE.replace('the demo', 'a demo')],
    ['with code to be run that is not in the original', CODE.replace('sh', 'sh skip="why"'), CODE],
  ])('but not %s', (_name, original, translation) => {
    expect(outlineOf(translation, 'pt')).not.toEqual(outlineOf(original, 'en'))
  })
})
