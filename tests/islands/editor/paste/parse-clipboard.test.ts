import { expect, test } from 'vitest'
import { removeBlockedMarkup } from '#islands/editor/paste/parse-clipboard.ts'

test.each([
  ['<style>p > b {color:red}</style><p>a</p>', '<p>a</p>'],
  ['<STYLE media="a>b"><!-- p{} --></STYLE ><p>a</p>', '<p>a</p>'],
  ['<p>a<script>if (1 < 2) "<p>"</script>b</p>', '<p>ab</p>'],
  ['<p><!--[if !supportLists]--><span>·</span><!--[endif]-->a</p>', '<p><span>·</span>a</p>'],
  ['<!--><p>a</p>', '<p>a</p>'],
  ['<img src=x onerror=alert(1) alt="1 > 0">', '<img src=x  alt="1 > 0">'],
  ['<img src="x"ONLOAD = "a>b"/>', '<img src="x"/>'],
  ['<p style="mso-list:l0 level1" onclick=\'a\'>a</p>', '<p style="mso-list:l0 level1" >a</p>'],
])('markup that the policy of the page blocks is removed from %s', (html, expected) => {
  expect(removeBlockedMarkup(html)).toBe(expected)
})

test.each([
  '<b>жирний</b> і <i>курсив</i>',
  'a < b, c > d, style=once, onclick=never',
  '<!DOCTYPE html><p data-on="1" title=\'on="x"\'>a<br/>b</p>',
  '<o:p>&nbsp;</o:p><![if !vml]><img src="/v1/file/1"><![endif]>',
  '<p = a>a</p>',
])('%s stays as it is', (html) => {
  expect(removeBlockedMarkup(html)).toBe(html)
})

test.each(['<p>a</p><style>p{', '<p>a</p><!-- b', '<p>a</p><b title="c', '<p>a</p><b', '<p>a</p><b c='])(
  'what is not closed at the end of %s is dropped',
  (html) => {
    expect(removeBlockedMarkup(html)).toBe('<p>a</p>')
  },
)
