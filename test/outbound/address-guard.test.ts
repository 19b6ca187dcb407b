import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { describe, it } from 'node:test'
import {
  ADDRESS_POLICIES,
  type AddressPolicy,
  checkUrl,
  guardedLookup,
  peerFault,
  vetAddress,
} from '../../src/outbound/address-guard.ts'
import type { Resolve } from '../../src/outbound/resolve.ts'

const PUBLIC_ONLY: AddressPolicy = { allowPrivate: false, httpsOnly: false }
const PRIVATE_TOO: AddressPolicy = { allowPrivate: true, httpsOnly: false }
const PRODUCTION: AddressPolicy = ADDRESS_POLICIES.production

const PUBLIC: readonly string[] = [
  '8.8.8.8',
  '1.0.0.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:4860:4860::8888',
  '2001:200::1',
  '2a00:1450:4001:830::200e',
  '64:ff9b::8.8.8.8',
]

const REFUSED: readonly (readonly [ip: string, name: string])[] = [
  ['10.0.0.0', 'private'],
  ['10.255.255.255', 'private'],
  ['100.64.0.0', 'shared'],
  ['100.127.255.255', 'shared'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.255', 'loopback'],
  ['172.16.0.0', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.8', 'reserved'],
  ['192.0.2.1', 'documentation'],
  ['192.88.99.1', '6to4'],
  ['192.168.0.1', 'private'],
  ['198.18.0.0', 'benchmark'],
  ['198.19.255.255', 'benchmark'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['240.0.0.1', 'reserved'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['fc00::1', 'private'],
  ['fdff:ffff::1', 'private'],
  ['fec0::1', 'private'],
  ['2001:db8::1', 'documentation'],
  ['3fff::1', 'documentation'],
  ['2001:2::1', 'benchmark'],
  ['2001:10::1', 'reserved'],
  ['100::1', 'reserved'],
  ['4000::1', 'reserved'],
  ['5f00::1', 'reserved'],
  ['::ffff:8.8.8.8', 'IPv4-mapped'],
  ['::ffff:808:808', 'IPv4-mapped'],
  ['0000:0000:0000:0000:0000:ffff:0808:0808', 'IPv4-mapped'],
  ['::8.8.8.8', 'IPv4-compatible'],
  ['::ffff:0:8.8.8.8', 'IPv4-translated'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::FFFF:7F00:1', 'loopback'],
  ['::ffff:100.64.0.1', 'shared'],
  ['::ffff:192.0.2.1', 'documentation'],
  ['::ffff:198.18.0.1', 'benchmark'],
  ['64:ff9b::100.64.0.1', 'shared'],
  ['64:ff9b::192.168.0.1', 'private'],
  ['2002:808:808::1', '6to4'],
  ['2001:0:808:808::1', 'Teredo'],
  ['2a00:1450::5efe:8.8.8.8', 'ISATAP'],
  ['::ffff:7f00:1', 'loopback'],
  ['0:0:0:0:0:ffff:10.0.0.1', 'private'],
  ['::127.0.0.1', 'loopback'],
  ['::c0a8:1', 'private'],
  ['::ffff:0:192.168.0.1', 'private'],
  ['64:ff9b::10.0.0.1', 'private'],
  ['64:ff9b::7f00:1', 'loopback'],
  ['64:ff9b:1::8.8.8.8', 'NAT64'],
  ['2002:7f00:1::', '6to4'],
  ['2002:a00:1::1', '6to4'],
  ['2001:0:a00:1::1', 'Teredo'],
  ['2001::1', 'Teredo'],
  ['2a00:1450::5efe:10.0.0.1', 'ISATAP'],
  ['2a00:1450::200:5efe:127.0.0.1', 'ISATAP'],
]

const METADATA: readonly string[] = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  '169.254.42.42',
  '192.0.0.192',
  'fd00:42::42',
  'fe80::a9fe:a9fe',
  'fe80::a9fe:a9fe%eth0',
  '::ffff:192.0.0.192',
  '100.100.100.200',
  '168.63.129.16',
  'fd00:ec2::254',
  'FD00:0EC2:0:0:0:0:0:0254',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::169.254.169.254',
  '::ffff:0:169.254.169.254',
  '::ffff:100.100.100.200',
  '::ffff:168.63.129.16',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::169.254.170.2',
  '64:ff9b:1:a9fe:a9:fe00::',
  '2002:a9fe:a9fe::1',
  '2001:0:a9fe:a9fe::1',
  '2001:0:808:808::5601:5601',
  'fe80::5efe:169.254.169.254',
  'fe80::200:5efe:169.254.169.254',
]

const NOBODY = [
  '0.0.0.0',
  '0.1.2.3',
  '224.0.0.1',
  '239.255.255.255',
  '255.255.255.255',
  '::',
  'ff02::1',
  '::ffff:224.0.0.1',
  '::ffff:0.0.0.0',
]

const LINK_LOCAL = [
  '169.254.0.1',
  '169.254.255.255',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  '::ffff:169.254.1.1',
  '64:ff9b::169.254.1.1',
  '2002:a9fe:101::1',
]

describe('an address', () => {
  for (const ip of PUBLIC) {
    it(`${ip} is called`, () => assert.deepEqual(vetAddress(ip, PUBLIC_ONLY), { ok: true }))
  }

  for (const [ip, name] of REFUSED) {
    it(`${ip} is refused as ${name}, unless private ones are allowed`, () => {
      const vetted = vetAddress(ip, PUBLIC_ONLY)
      assert.ok(!vetted.ok)
      assert.ok(vetted.reason.startsWith(`${ip} is `), vetted.reason)
      assert.ok(vetted.reason.includes(name), vetted.reason)
      assert.match(
        vetted.reason,
        /; give a public address: private ones are called in the sandbox only$/,
      )
      assert.deepEqual(vetAddress(ip, PRIVATE_TOO), { ok: true })
    })
  }

  for (const ip of METADATA) {
    it(`${ip} is refused as metadata even where private ones are allowed`, () => {
      for (const policy of [PUBLIC_ONLY, PRIVATE_TOO]) {
        const vetted = vetAddress(ip, policy)
        assert.ok(!vetted.ok)
        assert.match(vetted.reason, /cloud metadata/)
      }
    })
  }

  for (const ip of NOBODY) {
    it(`${ip} names no single machine and is refused in the sandbox too`, () => {
      for (const policy of [PUBLIC_ONLY, PRIVATE_TOO]) {
        const vetted = vetAddress(ip, policy)
        assert.match(
          vetted.ok ? '' : vetted.reason,
          /(unspecified|multicast|broadcast).* never called/,
        )
      }
    })
  }

  for (const ip of LINK_LOCAL) {
    it(`${ip} is refused as link-local even where private ones are allowed`, () => {
      for (const policy of [PUBLIC_ONLY, PRIVATE_TOO]) {
        const vetted = vetAddress(ip, policy)
        assert.match(vetted.ok ? '' : vetted.reason, /link-local address and never called/)
      }
    })
  }

  it('that is none is refused', () => {
    for (const text of ['', 'localhost', '1.2.3', '0x7f.1', '::g', '1.2.3.4.5']) {
      assert.equal(vetAddress(text, PRIVATE_TOO).ok, false, text)
    }
  })
})

describe('the peer of a connection', () => {
  it('is looked at once more, in the spelling of the socket', () => {
    assert.equal(peerFault('8.8.8.8', PUBLIC_ONLY), undefined)
    assert.equal(peerFault('::ffff:8.8.8.8', PUBLIC_ONLY), undefined)
    assert.match(peerFault('::ffff:10.0.0.1', PUBLIC_ONLY) ?? '', /private/)
    assert.match(peerFault('127.0.0.1', PUBLIC_ONLY) ?? '', /loopback/)
    assert.match(peerFault('169.254.169.254', PRIVATE_TOO) ?? '', /metadata/)
    assert.match(peerFault(undefined, PRIVATE_TOO) ?? '', /no address/)
  })
})

type UrlCase = readonly [url: string, policy: AddressPolicy, reason: RegExp]

const REFUSED_URLS: readonly UrlCase[] = [
  ['', PUBLIC_ONLY, /not a valid URL/],
  ['/callbacks', PUBLIC_ONLY, /not a valid URL/],
  ['https://', PUBLIC_ONLY, /not a valid URL/],
  ['https://merchant.example:65536/', PUBLIC_ONLY, /not a valid URL.*port/],
  ['https://merchant.example:0/', PUBLIC_ONLY, /port 0/],
  ['https://1.2.3.4.5/', PUBLIC_ONLY, /not a valid URL/],
  ['ftp://merchant.example/', PUBLIC_ONLY, /ftp:/],
  ['javascript:alert(1)', PUBLIC_ONLY, /javascript:/],
  ['file:///etc/passwd', PRIVATE_TOO, /file:/],
  ['http://merchant.example/', PRODUCTION, /use https:/],
  ['https://user@merchant.example/', PUBLIC_ONLY, /user name or password/],
  ['https://:secret@merchant.example/', PUBLIC_ONLY, /user name or password/],
  ['https://merchant.example/#top', PUBLIC_ONLY, /fragment/],
  ['https://merchant.example/#', PUBLIC_ONLY, /fragment/],
  [' https://merchant.example/', PUBLIC_ONLY, /white space/],
  ['https://merchant.example/a\nb', PUBLIC_ONLY, /white space/],
  [`https://merchant.example/${'a'.repeat(2024)}`, PUBLIC_ONLY, /2048/],
  ['http://127.0.0.1/', PUBLIC_ONLY, /127\.0\.0\.1 is a loopback/],
  ['http://127.0.0.1./', PUBLIC_ONLY, /loopback/],
  ['http://2130706433/', PUBLIC_ONLY, /127\.0\.0\.1 is a loopback/],
  ['http://0x7f000001/', PUBLIC_ONLY, /loopback/],
  ['http://0177.0.0.1/', PUBLIC_ONLY, /loopback/],
  ['http://127.1/', PUBLIC_ONLY, /loopback/],
  ['http://0/', PUBLIC_ONLY, /unspecified/],
  ['http://①②⑦.0.0.1/', PUBLIC_ONLY, /loopback/],
  ['http://127。0。0。1/', PUBLIC_ONLY, /loopback/],
  ['http://017700000001/', PUBLIC_ONLY, /loopback/],
  ['http://0x7f.0x0.0x0.0x1/', PUBLIC_ONLY, /loopback/],
  ['http://0X7F.1/', PUBLIC_ONLY, /loopback/],
  ['http://127.0.1/', PUBLIC_ONLY, /loopback/],
  ['http://127.65535/', PUBLIC_ONLY, /loopback/],
  ['http://%31%32%37.0.0.1/', PUBLIC_ONLY, /loopback/],
  ['http://10.1/', PUBLIC_ONLY, /private/],
  ['http://012.1.2.3/', PUBLIC_ONLY, /private/],
  ['http://0xc0.0xa8.1/', PUBLIC_ONLY, /private/],
  ['http://3232235777/', PUBLIC_ONLY, /private/],
  ['http://0300.0250.0.1/', PUBLIC_ONLY, /private/],
  ['http://100.64.1/', PUBLIC_ONLY, /shared/],
  ['http://4294967295/', PUBLIC_ONLY, /broadcast/],
  ['http://4294967296/', PUBLIC_ONLY, /not a valid URL/],
  ['http://256.1.1.1/', PUBLIC_ONLY, /not a valid URL/],
  ['http://[::ffff:7f00:1]/', PUBLIC_ONLY, /loopback/],
  ['http://[0:0:0:0:0:ffff:127.0.0.1]/', PUBLIC_ONLY, /loopback/],
  ['http://[::ffff:8.8.8.8]/', PUBLIC_ONLY, /IPv4-mapped/],
  ['http://[64:ff9b::8.8.8.8]/', PUBLIC_ONLY, /NAT64 address; give the name/],
  ['http://[64:ff9b::10.0.0.1]/', PUBLIC_ONLY, /private/],
  ['http://[fe80::1%25eth0]/', PUBLIC_ONLY, /not a valid URL/],
  ['http://2852039166/', PRIVATE_TOO, /metadata/],
  ['http://0251.0376.0251.0376/', PRIVATE_TOO, /metadata/],
  ['http://169.254.43518/', PRIVATE_TOO, /metadata/],
  ['http://[64:ff9b::a9fe:a9fe]/', PRIVATE_TOO, /metadata/],
  ['http://instance-data/latest', PRIVATE_TOO, /metadata/],
  ['http://[::1]/', PUBLIC_ONLY, /loopback/],
  ['http://[::ffff:10.0.0.1]/', PUBLIC_ONLY, /private/],
  ['http://localhost:3000/', PUBLIC_ONLY, /localhost is this machine/],
  ['http://shop.localhost./', PUBLIC_ONLY, /this machine/],
  ['http://169.254.169.254/latest', PRIVATE_TOO, /metadata/],
  ['http://0xa9fea9fe/', PRIVATE_TOO, /metadata/],
  ['http://[::ffff:169.254.169.254]/', PRIVATE_TOO, /metadata/],
  ['http://[fd00:ec2::254]/', PRIVATE_TOO, /metadata/],
  ['http://metadata.google.internal/', PRIVATE_TOO, /metadata/],
  ['http://METADATA.google.internal./', PRIVATE_TOO, /metadata/],
  ['http://metadata.goog/', PRIVATE_TOO, /metadata/],
]

describe('a URL', () => {
  for (const [url, policy, reason] of REFUSED_URLS) {
    it(`${JSON.stringify(url.slice(0, 60))} is refused: ${reason.source}`, () => {
      const checked = checkUrl(url, policy)
      assert.ok(!checked.ok)
      assert.match(checked.reason, reason)
    })
  }

  const accepted: readonly (readonly [url: string, policy: AddressPolicy])[] = [
    ['https://merchant.example/callbacks?kind=deposit', PRODUCTION],
    [`https://merchant.example/${'a'.repeat(2023)}`, PRODUCTION],
    ['http://merchant.example:8080/', PUBLIC_ONLY],
    ['https://8.8.8.8/', PRODUCTION],
    ['http://localhost:3000/', PRIVATE_TOO],
    ['http://127.0.0.1:3000/', PRIVATE_TOO],
    ['http://[::1]:3000/', PRIVATE_TOO],
  ]
  for (const [url, policy] of accepted) {
    it(`${url.slice(0, 60)} is accepted`, () => {
      const checked = checkUrl(url, policy)
      assert.ok(checked.ok)
      assert.equal(checked.url.href, url)
    })
  }
})

type Looked = { readonly error: NodeJS.ErrnoException | null; readonly found: unknown }

function resolvingTo(...addresses: readonly string[]): Resolve {
  return async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

function lookUp(
  resolve: Resolve,
  options: { name?: string; policy?: AddressPolicy; all?: boolean; family?: 4 | 6 } = {},
): Promise<Looked> {
  const { name = 'merchant.example', policy = PUBLIC_ONLY, all = true, family } = options
  const lookup = guardedLookup(policy, { resolve, timeoutMs: 50 })
  const asked = family === undefined ? { all } : { all, family }
  return new Promise((done) => {
    lookup(name, asked, (error, found: string | LookupAddress[]) => done({ error, found }))
  })
}

describe('the guarded lookup', () => {
  it('passes on every vetted address', async () => {
    const { error, found } = await lookUp(resolvingTo('8.8.8.8', '2606:4700::1'))
    assert.equal(error, null)
    assert.deepEqual(found, [
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ])
  })

  it('passes on the first address, or the first of a family, when one is asked for', async () => {
    const resolve = resolvingTo('8.8.8.8', '2606:4700::1')
    assert.equal((await lookUp(resolve, { all: false })).found, '8.8.8.8')
    assert.equal((await lookUp(resolve, { all: false, family: 6 })).found, '2606:4700::1')
    const none = await lookUp(resolvingTo('8.8.8.8'), { family: 6 })
    assert.equal(none.error?.code, 'ENOTFOUND')
  })

  it('refuses a name with one bad address among good ones, naming both', async () => {
    for (const bad of ['10.0.0.1', '::ffff:127.0.0.1', '169.254.169.254']) {
      for (const list of [
        [bad, '8.8.8.8'],
        ['8.8.8.8', bad],
      ]) {
        const { error } = await lookUp(resolvingTo(...list))
        assert.equal(error?.code, 'ADDRESS_REFUSED')
        const opening = `merchant.example resolves to ${bad}, which is `
        assert.ok(error.message.startsWith(opening), error.message)
      }
    }
  })

  it('refuses metadata names and addresses even where private ones are allowed', async () => {
    const byName = await lookUp(resolvingTo('8.8.8.8'), {
      name: 'metadata.google.internal',
      policy: PRIVATE_TOO,
    })
    assert.equal(byName.error?.code, 'ADDRESS_REFUSED')
    const byAddress = await lookUp(resolvingTo('169.254.169.254'), { policy: PRIVATE_TOO })
    assert.equal(byAddress.error?.code, 'ADDRESS_REFUSED')
    const inside = await lookUp(resolvingTo('10.0.0.1'), { policy: PRIVATE_TOO })
    assert.equal(inside.error, null)
  })

  it('gives up on a resolver that does not answer', async () => {
    const { error } = await lookUp(() => new Promise(() => undefined))
    assert.equal(error?.code, 'LOOKUP_TIMEOUT')
  })

  it('asks a resolver that hangs no second time: its threads are few', async () => {
    let questions = 0
    const lookup = guardedLookup(PUBLIC_ONLY, {
      resolve: () => {
        questions += 1
        return new Promise(() => undefined)
      },
      timeoutMs: 20,
    })
    for (let times = 0; times < 3; times += 1) {
      const error = await new Promise((done) => lookup('slow.example', { all: true }, done))
      assert.equal((error as NodeJS.ErrnoException).code, 'LOOKUP_TIMEOUT')
    }
    assert.equal(questions, 1)
  })

  it('passes on the error of the resolver, and treats no address as not found', async () => {
    const failing = async () => {
      throw Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' })
    }
    assert.equal((await lookUp(failing)).error?.code, 'EAI_AGAIN')
    assert.equal((await lookUp(resolvingTo())).error?.code, 'ENOTFOUND')
  })

  it('asks the resolver once for connections opened together, and again later', async () => {
    let asked = 0
    const resolve = async () => {
      asked += 1
      return [{ address: '8.8.8.8', family: 4 }]
    }
    const lookup = guardedLookup(PUBLIC_ONLY, { resolve })
    const once = () => new Promise((done) => lookup('merchant.example', { all: true }, done))
    await Promise.all([once(), once(), once()])
    assert.equal(asked, 1)
    await once()
    assert.equal(asked, 2)
  })
})
