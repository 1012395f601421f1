import { describe, expect, it } from 'vitest'
import { checkTarget, isPublicAddress, type OutboundOptions, outboundRules, TargetForbiddenError } from './target.ts'

const check = (url: string, options: OutboundOptions = {}) => checkTarget(url, outboundRules(options))

describe('a target that is refused before anybody is asked', () => {
  it.each([
    'http://127.1/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://0/',
    'http://[::]/',
    'http://[::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://[ff02::1]/',
    'http://localhost/',
    'http://localhost./',
    'http://LOCALHOST/',
    'http://a.localhost/',
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://10.0.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://192.0.0.192/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://a@127.0.0.1/',
    'http://user:secret@example.com/',
    'http:\\\\127.0.0.1',
    'file:///etc/passwd',
    'gopher://example.com/',
    'unix:/var/run/docker.sock',
    'data:text/plain,hello',
    'ftp://example.com/',
    'javascript:alert(1)',
    'https://example.com:22/',
    'https://example.com:25/',
    'https://example.com:5432/',
    'https://example.com:6379/',
    '//example.com/',
    '',
    'example.com',
    `https://example.com/${'x'.repeat(2_048)}`,
  ])('%s', (url) => {
    expect(() => check(url)).toThrow(TargetForbiddenError)
  })
})

describe('a target that may be asked', () => {
  it.each<[string, OutboundOptions]>([
    ['https://example.com/path?x=1', {}],
    ['http://example.com:80/', {}],
    ['https://93.184.216.34/', {}],
    ['https://[2606:2800:220:1:248:1893:25c8:1946]/', {}],
    ['https://example.com:8443/', { ports: [8443] }],
    ['http://10.1.2.3/', { networks: ['10.1.0.0/16'] }],
    ['http://[fd00:1::5]/', { networks: ['fd00:1::/64'] }],
    ['http://service.internal/', { networks: ['10.1.0.0/16'] }],
    ['https://api.example.com/', { hosts: ['api.example.com'] }],
    ['https://a.b.example.com./', { hosts: ['*.example.com'] }],
  ])('%s under %j', (url, options) => {
    expect(check(url, options).href).toBe(new URL(url).href)
  })
})

describe('what is allowed goes no further than it says', () => {
  it.each<[string, OutboundOptions]>([
    ['http://10.2.0.1/', { networks: ['10.1.0.0/16'] }],
    ['http://[::ffff:10.1.0.1]/', { networks: ['10.1.0.0/16'] }],
    ['https://example.com/', { ports: [8443] }],
    ['https://example.com/', { hosts: ['*.example.com'] }],
    ['https://evilexample.com/', { hosts: ['*.example.com', 'example.com'] }],
    ['https://example.com.evil.org/', { hosts: ['example.com'] }],
    ['http://127.0.0.1/', { hosts: ['127.0.0.1'] }],
  ])('%s under %j', (url, options) => {
    expect(() => check(url, options)).toThrow(TargetForbiddenError)
  })

  it.each([
    { networks: ['10.1.0.0/33'] },
    { networks: ['10.1'] },
    { networks: ['10.0.0.0/8/8'] },
    { hosts: ['https://x'] },
    { ports: [0] },
  ])('and %j is refused', (options) => {
    expect(() => outboundRules(options)).toThrow(/must be/)
  })
})

it.each([
  ['8.8.8.8', true],
  ['2a00:1450:4001::1', true],
  ['2001::1', false],
  ['2001:db8::1', false],
  ['3fff::1', false],
  ['fe80::1%eth0', false],
  ['2a00::1%eth0', false],
  ['example.com', false],
  ['', false],
])('the address %s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected)
})
